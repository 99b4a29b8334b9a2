package org.readpast.bridge;

import java.util.Map;

/**
 * What a rule would do.
 *
 * @param rule in the words of the file of rules
 * @param messages how many were looked at
 * @param areThereMore whether there are more than those
 * @param remarks what could not be kept or would not cross, with how many messages it concerns
 */
public record Preview(String rule, int messages, boolean areThereMore, Map<String, Integer> remarks) {

    /** */
    public Preview {
        remarks = Map.copyOf(remarks);
    }
}
