//! The functions that the page calls. Texts and numbers pass through memory: the page writes into [`input`], calls, and
//! reads [`output`] or [`frame`].

use std::cell::RefCell;

use crate::session::{Session, measure, start};

#[derive(Default)]
struct Page {
    input: Vec<u8>,
    output: String,
    frame: Vec<f64>,
    session: Option<Session>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

impl Page {
    fn scenario(&self) -> String {
        String::from_utf8_lossy(&self.input).into_owned()
    }

    /// Keeps an answer for the page; whether it is one, and not a message about what is wrong.
    fn answer(&mut self, answer: Result<String, String>) -> u32 {
        let is_answer = answer.is_ok();
        self.output = answer.unwrap_or_else(|message| message);
        is_answer.into()
    }
}

/// Room for a scenario of so many bytes.
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "a name without mangling: nothing else is called by it")]
pub extern "C" fn input(bytes: usize) -> *mut u8 {
    PAGE.with_borrow_mut(|page| {
        page.input = vec![0; bytes];
        page.input.as_mut_ptr()
    })
}

/// Where the last answer is, in UTF-8.
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "a name without mangling: nothing else is called by it")]
pub extern "C" fn output() -> *const u8 {
    PAGE.with_borrow(|page| page.output.as_ptr())
}

/// Its bytes.
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "a name without mangling: nothing else is called by it")]
pub extern "C" fn output_bytes() -> usize {
    PAGE.with_borrow(|page| page.output.len())
}

/// Begins a run of the scenario at a load: 1, and the answer describes the network; 0, and it says what is wrong.
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "a name without mangling: nothing else is called by it")]
pub extern "C" fn begin(load: f64) -> u32 {
    PAGE.with_borrow_mut(|page| {
        let begun = start(&page.scenario(), load);
        let answer = begun.map(|(session, description)| {
            page.session = Some(session);
            description
        });
        page.answer(answer)
    })
}

/// Runs so many cycles on, and fills the frame; its numbers.
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "a name without mangling: nothing else is called by it")]
pub extern "C" fn advance(cycles: u32) -> usize {
    PAGE.with_borrow_mut(|page| {
        let Page { session: Some(session), frame, .. } = page else { return 0 };
        session.advance(cycles.into());
        session.frame(frame);
        frame.len()
    })
}

/// Where the frame is: [`Session::frame`].
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "a name without mangling: nothing else is called by it")]
pub extern "C" fn frame() -> *const f64 {
    PAGE.with_borrow(|page| page.frame.as_ptr())
}

/// Measures a load of the scenario, as `desvio run` does: 1, and the answer has its numbers; 0, and it says what is wrong.
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "a name without mangling: nothing else is called by it")]
pub extern "C" fn point(load: f64) -> u32 {
    PAGE.with_borrow_mut(|page| {
        let answer = measure(&page.scenario(), load);
        page.answer(answer)
    })
}
