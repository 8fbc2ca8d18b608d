/** What the tests of several modules share: numbers of the reference implementation, and the conformance test of backends. */
@NullMarked
package dev.holdfast.rl.api.testing;

import org.jspecify.annotations.NullMarked;
