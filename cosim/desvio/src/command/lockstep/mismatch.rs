//! What helps to find the cause of a mismatch: a stimulus to run again, and waveforms.

use super::super::failure::Failure;
use super::super::rtl;
use super::{Run, compile};
use desvio_lockstep::compare::Mismatch;
use desvio_lockstep::record::Recorder;
use desvio_lockstep::replay::Replay;
use desvio_lockstep::session::{Failed, Session};
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use verilated::Trace;

impl Run<'_> {
    /// Writes what helps to find the cause.
    pub(super) fn mismatch(&self, seed: u64, failed: &Failed) -> Failure {
        let mut session = match self.session(seed) {
            Ok(session) => session,
            Err(failure) => return failure,
        };
        let mut recorder = Recorder::default();
        // Once more, to record it; a difference that depends on what was before may not come back.
        let again = session.replay(&failed.stimulus, &mut recorder);
        let (before, after, runs) = failed.shrunk;
        let mut note = format!("stimulus {}: {before} packets, made {after} in {runs} runs", failed.number);
        if again.is_ok() {
            note.push_str("; it did not come back when run again, so it depends on what was before");
        }
        let replay = Replay {
            scenario: PathBuf::from("scenario.toml"),
            router: self.routers[0],
            seed,
            flit_width: Some(self.shape.flit_width()),
            stimulus: failed.stimulus.clone(),
        };
        self.broken(&mut session, &failed.mismatch, &recorder, &replay, &note)
    }

    pub(super) fn broken(
        &self,
        session: &mut Session<'_>,
        mismatch: &Mismatch,
        recorder: &Recorder,
        replay: &Replay,
        note: &str,
    ) -> Failure {
        let mut lines = vec![format!("mismatch in {mismatch}")];
        lines.extend((!note.is_empty()).then(|| note.to_owned()));
        lines.push("the last events:".to_owned());
        lines.extend(recorder.events(16).into_iter().map(|event| format!("  {event}")));
        match self.write(session, mismatch, recorder, replay) {
            Ok(files) => lines.extend(files.into_iter().map(|file| format!("wrote {file}"))),
            Err(failure) => lines.push(failure.message().to_owned()),
        }
        Failure::Broken(lines.join("\n"))
    }

    fn write(
        &self,
        session: &mut Session<'_>,
        mismatch: &Mismatch,
        recorder: &Recorder,
        replay: &Replay,
    ) -> Result<Vec<String>, Failure> {
        let path = |name: &str| self.arguments.out.join(name);
        let failed = |path: &Path, error: &dyn std::fmt::Display| {
            Failure::Input(format!("error: {}: {error}", path.display()))
        };
        let mut files = Vec::new();
        let waveform = path("mismatch.vcd");
        let file = File::create(&waveform).map_err(|error| failed(&waveform, &error))?;
        recorder
            .write_waveform(session.probes(), self.shape.vc_bits(), BufWriter::new(file))
            .map_err(|error| failed(&waveform, &error))?;
        files.push(format!("{}: both sides, signal by signal", waveform.display()));
        if self.arguments.replay.is_none() {
            let scenario = path("scenario.toml");
            desvio_report::replace(&scenario, self.blueprint.scenario().to_toml().as_bytes())
                .map_err(|error| Failure::Input(format!("error: {error}")))?;
            let stimulus = path("stimulus.toml");
            replay.write(&stimulus, &mismatch.to_string()).map_err(|error| failed(&stimulus, &error))?;
            let rtl::Hdl { hdl, trust } = &self.arguments.hdl;
            let hdl = hdl.as_ref().map(|hdl| format!(" --hdl {}", hdl.display())).unwrap_or_default();
            let trust = if *trust { " --trust" } else { "" };
            let netlist = if self.arguments.netlist { " --netlist" } else { "" };
            let lengths = if self.arguments.own_lengths { " --own-lengths" } else { "" };
            let again =
                format!("desvio lockstep --replay {}{hdl}{trust}{netlist}{lengths}", stimulus.display());
            files.push(format!("{}: {again}", stimulus.display()));
        }
        if self.arguments.waves {
            files.push(self.write_waves(replay)?);
        }
        Ok(files)
    }

    /// The stimulus once more, with every signal of the RTL in a waveform.
    fn write_waves(&self, replay: &Replay) -> Result<String, Failure> {
        let library = compile(self.shape, self.arguments, Trace::Vcd, self.arguments.quiet)?;
        let path = self.arguments.out.join("rtl.vcd");
        let told = |error: &dyn std::fmt::Display| Failure::Input(format!("error: {error}"));
        let router = replay.stimulus.settings.router.unwrap_or(replay.router);
        let mut session = Session::new(self.blueprint, self.shape, &library, router, replay.seed)
            .map_err(|error| told(&error))?;
        if self.arguments.netlist {
            session = session.at_the_pins();
        }
        session.rtl().model().open_trace(&path).map_err(|error| told(&error))?;
        // The mismatch is known already.
        let _ = session.replay(&replay.stimulus, &mut ());
        session.rtl().model().close_trace();
        Ok(format!("{}: everything inside the RTL", path.display()))
    }
}
