// The bare model: the Verilated router alone, driven from C++ with a recorded stimulus. No model beside it, nothing
// compared: what it drives is only added up, so that the caller can see that it did the same.
//
//   bare STIMULUS      prints nanoseconds, cycles, flits and a checksum of all outputs

#include "Vdsv_router.h"
#include "verilated.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <type_traits>
#include <vector>

// One cycle of the stimulus: six pins, then the words of all ports' flits.
struct Cycle {
  uint64_t reset, flit_valid, flit_head, flit_tail, flit_vc, credit_valid, credit_vc;
};

// Ports of up to 64 bits are integers, wider ones arrays of words.
template <typename Pin> void put(Pin& pin, const uint32_t* words, size_t count) {
  if constexpr (std::is_integral_v<Pin>) {
    std::memcpy(&pin, words, sizeof pin);
  } else {
    std::memcpy(pin.data(), words, 4 * count);
  }
}

template <typename Pin> const uint32_t* words_of(Pin& pin) {
  if constexpr (std::is_integral_v<Pin>) {
    return reinterpret_cast<const uint32_t*>(&pin);
  } else {
    return pin.data();
  }
}

static void clock(Vdsv_router& top) {
  top.clk = 0;
  top.eval();
  top.clk = 1;
  top.eval();
}

static void reset(Vdsv_router& top) {
  top.flit_in_valid = 0;
  top.credit_in_valid = 0;
  top.rst = 1;
#include "configuration.h"
  top.rst = 0;
  top.eval();
}

int main(int argc, char** argv) {
  std::ifstream file(argc > 1 ? argv[1] : "", std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const size_t words = WORDS, size = sizeof(Cycle) + 4 * words;
  const size_t cycles = bytes.size() / size;
  if (cycles == 0) {
    std::fprintf(stderr, "no stimulus\n");
    return 2;
  }

  auto context = std::make_unique<VerilatedContext>();
  auto top = std::make_unique<Vdsv_router>(context.get());
  uint64_t flits = 0, checksum = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (size_t n = 0; n < cycles; n++) {
    Cycle cycle;
    std::memcpy(&cycle, &bytes[n * size], sizeof cycle);
    if (cycle.reset) reset(*top);

    // What is on the wires of a port without a flit or credit does not matter.
    const uint64_t valid = top->flit_out_valid, credits = top->credit_out_valid;
    checksum = checksum * 31 + (valid << 16 ^ credits);
    for (uint64_t left = valid; left; left &= left - 1) {
      const int port = __builtin_ctzll(left);
      const uint32_t* flit = words_of(top->flit_out_data) + FLIT_WORDS * port;
      const uint64_t head = top->flit_out_head >> port & 1, tail = top->flit_out_tail >> port & 1;
      const uint64_t vc = top->flit_out_vc >> port * VC_BITS & ((1 << VC_BITS) - 1);
      uint64_t data = 0;
      for (int word = 0; head && word < FLIT_WORDS; word++) data ^= flit[word];
      checksum = checksum * 31 + (data ^ head << 32 ^ tail << 33 ^ vc << 34);
      flits++;
    }
    for (uint64_t left = credits; left; left &= left - 1) {
      checksum = checksum * 31 + (top->credit_out_vc >> __builtin_ctzll(left) * VC_BITS & ((1 << VC_BITS) - 1));
    }

    top->flit_in_valid = cycle.flit_valid;
    top->credit_in_valid = cycle.credit_valid;
    if (cycle.flit_valid) {
      top->flit_in_head = cycle.flit_head;
      top->flit_in_tail = cycle.flit_tail;
      top->flit_in_vc = cycle.flit_vc;
      put(top->flit_in_data, reinterpret_cast<const uint32_t*>(&bytes[n * size + sizeof cycle]), words);
    }
    if (cycle.credit_valid) top->credit_in_vc = cycle.credit_vc;
    clock(*top);
  }
  const auto time = std::chrono::steady_clock::now() - begin;
  const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
  std::printf("%lld %zu %llu %llu\n", static_cast<long long>(nanoseconds), cycles,
              static_cast<unsigned long long>(flits), static_cast<unsigned long long>(checksum));
  return 0;
}
