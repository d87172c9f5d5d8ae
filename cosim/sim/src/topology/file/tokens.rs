//! The words and signs of a DOT file.

use std::iter::Peekable;
use std::str::Chars;

use super::{Fault, Place};
use crate::topology::PlaceError;

/// A word or sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word or number as it is written. Words of the language are among them.
    Word(String),
    /// A text between quotes, or between angle brackets.
    Text(String),
    /// `--`
    Edge,
    /// `->`
    Arrow,
    /// Any other sign.
    Sign(char),
    /// The end of the file.
    End,
}

impl Token {
    /// As a message shows it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Word(text) | Self::Text(text) => format!("`{}`", clipped(text)),
            Self::Edge => "`--`".to_owned(),
            Self::Arrow => "`->`".to_owned(),
            Self::Sign(sign) => format!("`{}`", sign.escape_debug()),
            Self::End => "the end of the file".to_owned(),
        }
    }

    /// Whether it is this word of the language, in capitals or not.
    pub(super) fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Word(word) if word.eq_ignore_ascii_case(keyword))
    }
}

/// The beginning of a text of a file, without what a terminal would obey.
pub(super) fn clipped(text: &str) -> String {
    let mut shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().count() > 40 {
        shown.push('…');
    }
    shown
}

/// Splits a text into tokens.
pub(super) struct Tokens<'t> {
    rest: Peekable<Chars<'t>>,
    at: Place,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { rest: text.chars().peekable(), at: Place { line: 1, column: 1 } }
    }

    /// The next token, and where it starts.
    pub(super) fn next(&mut self) -> Result<(Token, Place), Fault> {
        self.skip()?;
        let at = self.at;
        let Some(first) = self.step() else { return Ok((Token::End, at)) };
        let token = match first {
            '"' => Token::Text(self.quoted(at)?),
            '<' => Token::Text(self.bracketed(at)?),
            '-' => match self.rest.peek() {
                Some('-') => self.then(Token::Edge),
                Some('>') => self.then(Token::Arrow),
                Some(digit) if digit.is_ascii_digit() || *digit == '.' => Token::Word(self.word(first)),
                _ => Token::Sign('-'),
            },
            _ if is_of_word(first) || first == '.' => Token::Word(self.word(first)),
            _ => Token::Sign(first),
        };
        Ok((token, at))
    }

    fn step(&mut self) -> Option<char> {
        let next = self.rest.next()?;
        self.at = match next {
            '\n' => Place { line: self.at.line + 1, column: 1 },
            _ => Place { column: self.at.column + 1, ..self.at },
        };
        Some(next)
    }

    fn then(&mut self, token: Token) -> Token {
        self.step();
        token
    }

    /// Spaces, comments, and lines of a preprocessor.
    fn skip(&mut self) -> Result<(), Fault> {
        loop {
            match self.rest.peek() {
                Some(next) if next.is_whitespace() || *next == '\u{feff}' => drop(self.step()),
                Some('#') if self.at.column == 1 => self.skip_line(),
                Some('/') => {
                    let at = self.at;
                    self.step();
                    match self.step() {
                        Some('/') => self.skip_line(),
                        Some('*') => self.skip_comment(at)?,
                        _ => return Err(at.fault(PlaceError::expected("a comment after the sign", "`/`"))),
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn skip_line(&mut self) {
        while self.rest.peek().is_some_and(|&next| next != '\n') {
            self.step();
        }
    }

    fn skip_comment(&mut self, at: Place) -> Result<(), Fault> {
        let mut last = ' ';
        while let Some(next) = self.step() {
            if (last, next) == ('*', '/') {
                return Ok(());
            }
            last = next;
        }
        Err(at.fault(PlaceError::Open("comment")))
    }

    fn word(&mut self, first: char) -> String {
        let is_number = !is_of_word(first) || first.is_ascii_digit();
        let mut word = String::from(first);
        while let Some(&next) = self.rest.peek()
            && (is_of_word(next) || is_number && next == '.')
        {
            word.push(next);
            self.step();
        }
        word
    }

    /// Behind a backslash, a quote is part of the text, and the end of a line is not.
    fn quoted(&mut self, at: Place) -> Result<String, Fault> {
        let mut text = String::new();
        while let Some(next) = self.step() {
            match (next, self.rest.peek()) {
                ('"', _) => return Ok(text),
                ('\\', Some('"')) => text.extend(self.step()),
                ('\\', Some('\n')) => drop(self.step()),
                _ => text.push(next),
            }
        }
        Err(at.fault(PlaceError::Open("text")))
    }

    fn bracketed(&mut self, at: Place) -> Result<String, Fault> {
        let (mut text, mut depth) = (String::new(), 1);
        while let Some(next) = self.step() {
            match next {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(text);
            }
            text.push(next);
        }
        Err(at.fault(PlaceError::Open("text")))
    }
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii() && !c.is_whitespace()
}
