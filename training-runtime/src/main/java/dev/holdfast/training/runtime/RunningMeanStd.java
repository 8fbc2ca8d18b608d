package dev.holdfast.training.runtime;

/**
 * Running mean and variance of each column of batches, in double precision; batches are merged by Chan's parallel formula (Chan,
 * Golub and LeVeque, 1979). Starts at mean 0, variance 1, with a count of 1e-4, as in the reference implementation.
 */
final class RunningMeanStd {
    final double[] mean;
    final double[] variance;
    double count = 1e-4;

    RunningMeanStd(int size) {
        mean = new double[size];
        variance = new double[size];
        java.util.Arrays.fill(variance, 1);
    }

    /** Merges a batch {@code [rows, size]}; its variance is the population's. */
    void update(float[] batch, int rows) {
        int size = mean.length;
        for (int i = 0; i < size; i++) {
            double sum = 0;
            for (int row = 0; row < rows; row++) {
                sum += batch[row * size + i];
            }
            double batchMean = sum / rows;
            double squares = 0;
            for (int row = 0; row < rows; row++) {
                double difference = batch[row * size + i] - batchMean;
                squares += difference * difference;
            }
            merge(i, batchMean, squares, rows);
        }
        count += rows;
    }

    /** Merges a batch of numbers into a single column. */
    void update(double[] batch) {
        double sum = 0;
        for (double value : batch) {
            sum += value;
        }
        double batchMean = sum / batch.length;
        double squares = 0;
        for (double value : batch) {
            squares += (value - batchMean) * (value - batchMean);
        }
        merge(0, batchMean, squares, batch.length);
        count += batch.length;
    }

    private void merge(int i, double batchMean, double batchSquares, int rows) {
        double total = count + rows;
        double delta = batchMean - mean[i];
        mean[i] += delta * rows / total;
        variance[i] = (variance[i] * count + batchSquares + delta * delta * count * rows / total) / total;
    }
}
