//! Whole runs: simulated cycles per second.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use desvio_benches::SUBJECTS;
use desvio_sim::run::run;

fn runs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("run");
    group.sample_size(10);
    for subject in SUBJECTS {
        let blueprint = subject.blueprint(subject.cycles);
        group.throughput(Throughput::Elements(subject.cycles));
        group.bench_function(subject.name, |bencher| {
            bencher.iter(|| run(&blueprint, subject.load, &|_| ()).map(|outcome| outcome.summary.accepted));
        });
    }
    group.finish();
}

criterion_group!(benches, runs);
criterion_main!(benches);
