package org.readpast.clients.xa;

import com.arjuna.ats.arjuna.common.CoordinatorEnvironmentBean;
import com.arjuna.ats.arjuna.common.CoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.util.List;
import javax.transaction.xa.XAResource;

/**
 * Narayana.
 *
 * @param resources those that recovery uses
 */
record Narayana(TransactionManager manager, List<XAResource> resources) implements Coordinator {

    static Narayana start(Path log, String node, List<XAResource> resources) throws CoreEnvironmentBeanException {
        BeanPopulator.getDefaultInstance(CoreEnvironmentBean.class).setNodeIdentifier(node);
        for (String store : new String[] {null, "communicationStore", "stateStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(log.toString());
        }
        BeanPopulator.getDefaultInstance(CoordinatorEnvironmentBean.class).setTransactionStatusManagerEnable(false);
        JTAEnvironmentBean jta = BeanPopulator.getDefaultInstance(JTAEnvironmentBean.class);
        jta.setXaRecoveryNodes(List.of(node));
        jta.setXaResourceOrphanFilterClassNames(List.of(
                JTATransactionLogXAResourceOrphanFilter.class.getName(),
                JTANodeNameXAResourceOrphanFilter.class.getName()));
        jta.setOrphanSafetyInterval(0);
        RecoveryEnvironmentBean recovery = BeanPopulator.getDefaultInstance(RecoveryEnvironmentBean.class);
        recovery.setRecoveryModuleClassNames(
                List.of(AtomicActionRecoveryModule.class.getName(), XARecoveryModule.class.getName()));
        recovery.setRecoveryBackoffPeriod(1);
        recovery.setRecoveryListener(false);
        return new Narayana(com.arjuna.ats.jta.TransactionManager.transactionManager(), resources);
    }

    @Override
    public void recover() {
        RecoveryManager manager = RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT);
        manager.initialize();
        XARecoveryModule.getRegisteredXARecoveryModule().addXAResourceRecoveryHelper(new XAResourceRecoveryHelper() {
            @Override
            public boolean initialise(String parameter) {
                return true;
            }

            @Override
            public XAResource[] getXAResources() {
                return resources.toArray(XAResource[]::new);
            }
        });
        // A branch that no log knows is rolled back when it is found a second time.
        manager.scan();
        manager.scan();
        manager.terminate();
    }
}
