package org.readpast.benchmarks.workload;

import java.util.List;
import org.readpast.benchmarks.machine.DelayingProxy;

/**
 * Another workload, over a slow network.
 *
 * @param millis how long data take in each direction
 */
record FarAway(Workload workload, int millis) implements Workload {

    @Override
    public String name() {
        return workload.name() + ", network of " + millis + " ms each way";
    }

    @Override
    public String kind() {
        return workload.kind();
    }

    @Override
    public List<Integer> threads() {
        return workload.threads();
    }

    @Override
    public int leastOperations(int threads) {
        return workload.leastOperations(threads);
    }

    @Override
    public Trial prepare(Contestant contestant, int threads) throws Exception {
        DelayingProxy proxy = DelayingProxy.before(contestant.by(), millis);
        Contestant far = contestant.by(proxy.address());
        Trial trial = workload.prepare(far, threads);
        return new Trial() {
            @Override
            public Outcome run(int operations) throws Exception {
                return trial.run(operations);
            }

            @Override
            public void close() {
                trial.close();
                far.close();
                proxy.close();
            }
        };
    }
}
