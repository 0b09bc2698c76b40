"""What NVIDIA's cuFFT takes for an update's bare transforms: PLANES inverse N x N complex f32 transforms, in place, one plan.

Prints one line of JSON, times in microseconds of CUDA events. It modulates nothing, unpacks nothing and writes no maps, so an
ocean update that is as fast does all of that for free.

Every timed stretch is enqueued while a kernel that only waits keeps the GPU busy. Python takes longer to launch a small
transform than the GPU to run it, and without that the events would time Python.
"""

import argparse
import json
import statistics
import sys
import time

WARM_UP_SECONDS = 0.3

WAIT = r"""
extern "C" __global__ void wait(long long cycles) {
    long long start = clock64();
    while (clock64() - start < cycles) {}
}
"""


def arguments():
    parser = argparse.ArgumentParser(description="cuFFT's time for the bare transforms of an ocean update")
    parser.add_argument("--size", type=int, required=True)
    parser.add_argument("--planes", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--singles", type=int, default=20, help="single timings a round")
    parser.add_argument("--batch", type=int, default=100, help="transforms in the back-to-back stretch of a round")
    return parser.parse_args()


class Bench:
    def __init__(self, cupy, size, planes):
        import numpy
        from cupy.cuda import cufft
        from cupyx.scipy.fft import get_fft_plan

        self.cupy = cupy
        self.inverse = cufft.CUFFT_INVERSE
        # Made on the host: what CuPy would compile to make them on the GPU needs CUDA's headers, which are often missing.
        parts = numpy.random.default_rng(1).random((planes, size, size, 2), dtype=numpy.float32) - numpy.float32(0.5)
        self.original = cupy.asarray(parts.view(numpy.complex64)[..., 0])
        self.data = self.original.copy()
        self.plan = get_fft_plan(self.data, axes=(1, 2), value_type="C2C")
        self.wait = cupy.RawKernel(WAIT, "wait")
        # kHz are cycles a millisecond.
        self.cycles_per_second = cupy.cuda.Device().attributes["ClockRate"] * 1000

    def transform(self, count):
        for _ in range(count):
            self.plan.fft(self.data, self.data, self.inverse)

    def enqueueing_seconds(self, count):
        """How long the host takes to launch `count` transforms, which is how long the GPU must be kept waiting."""
        self.cupy.cuda.get_current_stream().synchronize()
        start = time.perf_counter()
        self.transform(count)
        seconds = time.perf_counter() - start
        self.cupy.cuda.get_current_stream().synchronize()
        return seconds

    def timed(self, count, enqueueing):
        """Microseconds a transform, of `count` of them one after another."""
        start, end = self.cupy.cuda.Event(), self.cupy.cuda.Event()
        # The values grow by a factor of the size at every transform that nothing normalises. Back to back they overflow after
        # a dozen; an infinity takes a GPU no longer than a number does.
        self.cupy.copyto(self.data, self.original)
        self.wait((1,), (1,), (int((2.0 * enqueueing + 100e-6) * self.cycles_per_second),))
        start.record()
        self.transform(count)
        end.record()
        end.synchronize()
        return self.cupy.cuda.get_elapsed_time(start, end) * 1000.0 / count


def main():
    asked = arguments()
    try:
        import cupy
    except ImportError as error:
        sys.exit(f"CuPy cannot be imported: {error}")

    bench = Bench(cupy, asked.size, asked.planes)
    begun = time.perf_counter()
    while time.perf_counter() - begun < WARM_UP_SECONDS:
        bench.enqueueing_seconds(asked.batch)
    one = bench.enqueueing_seconds(1)
    many = bench.enqueueing_seconds(asked.batch)

    singles, batches = [], []
    for _ in range(asked.rounds):
        singles += [bench.timed(1, one) for _ in range(asked.singles)]
        batches.append(bench.timed(asked.batch, many))

    from cupy.cuda import cufft

    properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
    print(
        json.dumps(
            {
                "device": properties["name"].decode(),
                "cufft": cufft.getVersion(),
                "size": asked.size,
                "planes": asked.planes,
                "single_best_us": min(singles),
                "single_median_us": statistics.median(singles),
                "back_to_back_best_us": min(batches),
                "back_to_back_median_us": statistics.median(batches),
            }
        )
    )


if __name__ == "__main__":
    main()
