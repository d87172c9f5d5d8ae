// The C++ side of the boundary: one instance of the model, its context, its trace, its first failure.
// The Rust side is ffi.rs; the signatures of the `extern "C"` functions below must agree with it.
// Compiled together with the generated model, after the definition of SHIM_PINS(model, pointer).

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#if VM_COVERAGE
#include "verilated_cov.h"
#endif
#if VM_TRACE_FST
#include "verilated_fst_c.h"
using ShimTrace = VerilatedFstC;
#elif VM_TRACE
#include "verilated_vcd_c.h"
using ShimTrace = VerilatedVcdC;
#endif
#if SHIM_SAVABLE
#include "verilated_save.h"
#endif

namespace {

enum Kind : int32_t { OK = 0, ERROR = 1, FATAL = 2, STOP = 3, INTERNAL = 4 };

/// Thrown by vl_fatal: Verilator's own loops would not end if it returned.
struct Broken final {};

struct Instance final {
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<Vmodel> model;
#if VM_TRACE
    std::unique_ptr<ShimTrace> trace;
#endif
    Kind kind = OK;           // of the first failure since the last report
    bool broken = false;      // the model stopped inside an evaluation and cannot go on
    int32_t line = 0;
    uint32_t failures = 0;    // since the last report
    uint64_t time = 0;
    std::string file;
    std::string hier;
    std::string text;
    std::string printed;      // the last message that announced an error, still to be claimed by its stop
};

/// The instance this thread is evaluating. Verilator's callbacks carry no user pointer.
thread_local Instance* current = nullptr;

/// Verilator seeds its generator by a process-wide count: construction is one at a time, so that it is repeatable.
std::mutex construction;

void fail(Kind kind, const char* file, int line, const char* hier, const std::string& text) {
    Instance* const self = current;
    if (!self) return;
    if (self->failures++ != 0) return;
    self->kind = kind;
    self->file = file ? file : "";
    self->line = line;
    self->hier = hier ? hier : "";
    self->text = text;
    self->time = self->context->time();
}

/// Makes `self` the current instance for as long as it lives.
struct Entered final {
    Instance* const before;
    explicit Entered(Instance* self) : before{current} {
        current = self;
        if (Verilated::threadContextp() != self->context.get()) Verilated::threadContextp(self->context.get());
    }
    ~Entered() { current = before; }
};

template <typename Action>
int32_t guarded(Instance* self, Action&& action) {
    const Entered entered{self};
    if (self->broken) {
        self->kind = INTERNAL;
        self->failures = 1;
        return INTERNAL;
    }
    try {
        action();
    } catch (const Broken&) {
        self->broken = true;
    } catch (const std::exception& error) {
        fail(INTERNAL, "", 0, "", error.what());
        self->broken = true;
    } catch (...) {
        fail(INTERNAL, "", 0, "", "an unknown exception");
        self->broken = true;
    }
    return self->kind;
}

#if SHIM_SAVABLE
class ToMemory final : public VerilatedSerialize {
    std::vector<uint8_t>& m_bytes;

  public:
    explicit ToMemory(std::vector<uint8_t>& bytes) : m_bytes{bytes} {
        m_isOpen = true;
        header();
    }
    ~ToMemory() override { close(); }
    void close() override {
        if (!m_isOpen) return;
        trailer();
        flush();
        m_isOpen = false;
    }
    void flush() override {
        m_bytes.insert(m_bytes.end(), m_bufp, m_cp);
        m_cp = m_bufp;
    }
};

class FromMemory final : public VerilatedDeserialize {
    const uint8_t* m_from;
    const uint8_t* const m_to;

  public:
    FromMemory(const uint8_t* from, size_t size) : m_from{from}, m_to{from + size} {
        m_isOpen = true;
        m_cp = m_endp = m_bufp;
        header();
    }
    ~FromMemory() override { m_isOpen = false; }
    void close() override {
        trailer();
        m_isOpen = false;
    }
    void flush() override {}
    void fill() override {
        const size_t rest = m_endp - m_cp;
        memmove(m_bufp, m_cp, rest);
        m_cp = m_bufp;
        m_endp = m_bufp + rest;
        const size_t room = bufferSize() - rest;
        const size_t part = std::min<size_t>(room, m_to - m_from);
        memcpy(m_endp, m_from, part);
        m_from += part;
        memset(m_endp + part, 0, room - part);  // readers ask for blocks, not for bytes
        m_endp = m_bufp + bufferSize();
    }
};
#endif

}  // namespace

// What a design prints, without what a terminal would obey: it may be a stranger's.
static std::string printable(const std::string& text) {
    std::string shown;
    for (size_t at = 0; at < text.size(); ++at) {
        unsigned c = static_cast<unsigned char>(text[at]);
        const unsigned next = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0;
        const bool is_long = c == 0xc2 && next >= 0x80 && next < 0xa0;  // U+0080 to U+009F
        if (is_long) c = next;
        if (is_long || c == 0x7f || (c < 0x20 && c != '\n' && c != '\t')) {
            char escaped[16];
            snprintf(escaped, sizeof escaped, "\\u{%x}", c);
            shown += escaped;
        } else {
            shown += text[at];
        }
        at += is_long;
    }
    return shown;
}

extern "C" int shim_print(const char* format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    std::string text{line};
    if (length >= static_cast<int>(sizeof line)) {
        std::vector<char> longer(length + 1);
        vsnprintf(longer.data(), longer.size(), format, again);
        text = longer.data();
    }
    va_end(again);
    const bool announces = text.find("%Error:") != std::string::npos || text.find("%Fatal:") != std::string::npos;
    if (current && announces) {
        current->printed = text;  // becomes the text of the failure, not a line on the terminal
    } else if (text.find("Verilog $finish") == std::string::npos) {
        fputs(printable(text).c_str(), stderr);  // standard output is the program's
    }
    return length;
}

void vl_stop(const char* file, int line, const char* hier) VL_MT_UNSAFE {
    Instance* const self = current;
    if (!self) return;
    const std::string text = std::exchange(self->printed, {});
    const bool fatal = text.find("%Fatal:") != std::string::npos;
    fail(text.empty() ? STOP : fatal ? FATAL : ERROR, file, line, hier, text);
}

void vl_fatal(const char* file, int line, const char* hier, const char* text) VL_MT_UNSAFE {
    fail(INTERNAL, file, line, hier, text ? text : "");
    throw Broken{};
}

void vl_finish(const char*, int, const char*) VL_MT_UNSAFE {
    if (current) current->context->gotFinish(true);
}

#define SHIM extern "C" __attribute__((visibility("default")))

/// `random` 0: every register starts at zero; 1: at random values of `seed`, which is not zero.
SHIM Instance* shim_new(int32_t random, int32_t seed) {
    const std::lock_guard<std::mutex> one_at_a_time{construction};
    auto self = std::make_unique<Instance>();
    self->context = std::make_unique<VerilatedContext>();
    const Entered entered{self.get()};
    try {
        self->context->randReset(random ? 2 : 0);
        self->context->randSeed(seed);
#if VM_TRACE
        self->context->traceEverOn(true);
#endif
        self->model = std::make_unique<Vmodel>(self->context.get(), "");
    } catch (const Broken&) {
        self->broken = true;
    } catch (const std::exception& error) {
        fail(INTERNAL, "", 0, "", error.what());
        self->broken = true;
    }
    return self.release();
}

SHIM void shim_delete(Instance* self) {
    const std::lock_guard<std::mutex> one_at_a_time{construction};
    {
        const Entered entered{self};
        try {
#if VM_TRACE
            if (self->trace) self->trace->close();
            self->trace.reset();
#endif
            if (self->model && !self->broken) self->model->final();
        } catch (...) {
        }
        self->model.reset();
    }
    delete self;
}

/// Writes the addresses of ports, then probes, in the order of the manifest.
SHIM void shim_pins(Instance* self, void** pins) {
    Vmodel* const model = self->model.get();
    if (!model) return;
    SHIM_PINS(model, pins)
}

SHIM int32_t shim_eval(Instance* self) {
    return guarded(self, [self] {
        self->model->eval();
#if VM_TRACE
        if (VL_UNLIKELY(self->trace)) self->trace->dump(self->context->time());
#endif
        self->context->timeInc(1);
    });
}

SHIM int32_t shim_finished(const Instance* self) { return self->context->gotFinish(); }
SHIM uint64_t shim_time(const Instance* self) { return self->context->time(); }
SHIM void shim_set_time(Instance* self, uint64_t time) { self->context->time(time); }

struct Report final {
    int32_t kind;
    int32_t line;
    uint32_t failures;
    uint32_t broken;
    uint64_t time;
    const char* file;
    const char* hier;
    const char* text;
};

/// The first failure since the last report; the texts live until the next call on `self`.
SHIM void shim_report(Instance* self, Report* out) {
    *out = Report{self->kind, self->line,  self->failures, self->broken, self->time, self->file.c_str(),
                  self->hier.c_str(), self->text.c_str()};
    self->kind = OK;
    self->failures = 0;
    self->printed.clear();
}

SHIM int32_t shim_open_trace(Instance* self, const char* path) {
#if VM_TRACE
    bool opened = false;
    guarded(self, [&] {
        if (self->trace) self->trace->close();
        self->trace = std::make_unique<ShimTrace>();
        self->model->trace(self->trace.get(), 99);
        self->trace->open(path);
        opened = self->trace->isOpen();
    });
    if (!opened) self->trace.reset();
    return opened;
#else
    return 0;
#endif
}

SHIM void shim_flush_trace(Instance* self) {
#if VM_TRACE
    if (self->trace) guarded(self, [&] { self->trace->flush(); });
#endif
}

SHIM void shim_close_trace(Instance* self) {
#if VM_TRACE
    if (self->trace) guarded(self, [&] { self->trace->close(); });
    self->trace.reset();
#endif
}

SHIM int32_t shim_write_coverage(Instance* self, const char* path) {
#if VM_COVERAGE
    return guarded(self, [&] { self->context->coveragep()->write(path); }) == OK;
#else
    return 0;
#endif
}

using Receive = void (*)(void* to, const uint8_t* bytes, size_t size);

SHIM int32_t shim_save(Instance* self, Receive receive, void* to) {
#if SHIM_SAVABLE
    std::vector<uint8_t> bytes;
    const int32_t kind = guarded(self, [&] {
        ToMemory out{bytes};
        out << self->context.get();
        out << *self->model;
        out.close();
    });
    receive(to, bytes.data(), bytes.size());
    return kind == OK;
#else
    return 0;
#endif
}

SHIM int32_t shim_restore(Instance* self, const uint8_t* bytes, size_t size) {
#if SHIM_SAVABLE
    return guarded(self, [&] {
        FromMemory in{bytes, size};
        in >> self->context.get();
        in >> *self->model;
        in.close();
    }) == OK;
#else
    return 0;
#endif
}
