package org.readpast.clients.servers;

import org.junit.jupiter.api.Test;
import org.readpast.clients.servers.app.Orders;

/** The same in servers that let go of applications, as TomEE does not. */
abstract class ReleaseContract extends RedeploymentContract {

    @Test
    void class_loaders_of_ten_deployments_do_not_stay() throws Exception {
        assertTenDeploymentsDoNotStay(Orders.class);
    }
}
