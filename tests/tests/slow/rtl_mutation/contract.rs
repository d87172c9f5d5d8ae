//! What a module may expect of the rest of the router. A mutant that is another circuit only where this does not hold changes
//! nothing.

/// A module, and the contract in SystemVerilog, without registers.
const CONTRACTS: [(&str, &str); 5] = [
    // A VC that is not there is granted nothing.
    (
        "input_port",
        "always_comb
           for (int v = 0; v < VCS; v++)
             if (v >= VCS_HERE) assume (!grant_vc[v] && !match_vc[v]);",
    ),
    // From the first reset on a packet requests one output, but where it asks for all that it may take (SEVERAL). A VC behind an output that no grant
    // is about to take is free.
    (
        "input_vc",
        "always_comb begin
           if (!SEVERAL) assume ((request & (request - 1'b1)) == '0);
           assume ((vacant & ~free) == '0);
         end",
    ),
    // An unconnected port has nothing in use; port 0 is connected in all networks.
    (
        "occupancy",
        "always_comb begin
           assume (wired[0]);
           for (int n = 0; n < PORTS * VCS; n++)
             if (!wired[n / VCS]) assume (used[n*CREDIT_W +: CREDIT_W] == '0);
         end",
    ),
    // There is no way round a node's port; misroutes need room for all of a packet, and lead to other ports than minimal hops.
    (
        "select",
        "always_comb begin
           assume (minimal >> NODES != '0 || (global_ports | local_ports) == '0);
           assume ((open & ~minimal_ports) == '0 || length >> CREDIT_W == '0);
           assume (((global_ports | local_ports) & minimal_ports) == '0);
         end",
    ),
    // A head that waits is in the buffer (HEAD-WAITS): no draw is made for a packet that is not there.
    ("vc", "always_comb assume (state != dsv_pkg::VC_STATE_WAITING || flits != '0);"),
];

/// The text of a module with its contract.
pub(crate) fn within(module: &str, text: &str) -> String {
    let contract = CONTRACTS.iter().find(|(of, _)| *of == module).map_or("", |(_, contract)| contract);
    let (body, rest) = text.rsplit_once("endmodule").expect("a module ends");
    format!("{body}{contract}\nendmodule{rest}")
}
