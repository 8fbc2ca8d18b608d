/** JSON as maps, lists and plain values, so that no type of a JSON library crosses a package's border. */
@NullMarked
package dev.holdfast.training.runtime.json;

import org.jspecify.annotations.NullMarked;
