// The registers behind the serial port (hdl/registers.toml), and the commit that puts what is staged to use.
//
// Software writes staged registers and the bank of the routing table that is not in use. A commit first looks at the staged
// table, row by row; then all that it asks for comes into use at one edge of the clock, or nothing does (TABLE-ATOMIC,
// THRESHOLDS-ATOMIC). Until its first restart the router is held in reset.
module dsv_control #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned CREDIT_W = 9,
  parameter  int unsigned COUNTER_WIDTH = 8,
  parameter  int unsigned ROWS = 1,
  parameter  int unsigned ROUTING = dsv_pkg::DEFAULT_ROUTING,
  parameter  int unsigned TRIGGER = dsv_pkg::DEFAULT_TRIGGER,
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS,
  localparam int unsigned KINDS = dsv_pkg::PROTOCOL_ERROR_COUNT
) (
  input  logic                     clk,
  input  logic                     rst,
  // Requests, and what to answer.
  input  logic                     request,
  input  logic [7:0]               request_command,
  input  logic [15:0]              request_address,
  input  logic [31:0]              request_data,
  output logic [7:0]               answer_status,
  output logic [31:0]              answer_data,
  input  logic                     corrupt,
  input  logic                     short_frame,
  // High while an event that software asked for has not been seen by it.
  output logic                     irq,
  // The router's reset and configuration: what is staged.
  output logic                     router_rst,
  output logic [ROUTER_W-1:0]      config_router,
  output logic [PORTS-1:0]         config_wired,
  output logic [PORTS-1:0]         config_exits,
  output logic [31:0]              config_seed,
  output logic [COUNTER_WIDTH-1:0] config_contention_threshold,
  output logic [15:0]              config_contention_factor,
  output logic [15:0]              config_minimal_occupancy,
  output logic [15:0]              config_relative_threshold,
  output logic                     config_restriction,
  output logic [15:0]              config_restriction_factor,
  output logic [15:0]              config_restriction_packets,
  output logic                     config_occupancy_enable,
  output logic                     config_contention_enable,
  output logic                     config_load,
  output logic                     table_bank,
  output logic                     table_write,
  output logic [ROUTER_W-1:0]      table_row,
  output logic [PORTS-1:0]         table_ports,
  // What is in use, and what the router counts.
  input  logic [ROUTER_W-1:0]      read_router,
  input  logic [PORTS-1:0]         read_wired,
  input  logic [PORTS-1:0]         read_exits,
  input  dsv_pkg::thresholds_t     read_thresholds,
  input  logic [PORTS*COUNTER_WIDTH-1:0] read_contention,
  input  logic [PORTS*VCS*CREDIT_W-1:0]  read_credits,
  input  logic [KINDS*16-1:0]            read_errors,
  output logic [ROUTER_W-1:0]      table_read_row,
  input  logic [PORTS-1:0]         table_read_in_use,
  input  logic [PORTS-1:0]         table_read_staged
);
  localparam int unsigned SCAN_W = $clog2(ROWS + 1);

  // The arrays: each begins at a multiple of its places.
  logic [15:0] port, place, row;
  logic        is_contention, is_credits, is_errors, is_staged_row, is_row_in_use;
  assign port  = request_address & 16'(dsv_registers_pkg::CONTENTION_PORT_PLACES - 1);
  assign place = request_address
               & 16'(dsv_registers_pkg::CREDITS_PORT_PLACES * dsv_registers_pkg::CREDITS_VC_PLACES - 1);
  assign row   = request_address & 16'(dsv_registers_pkg::TABLE_ROW_ROW_PLACES - 1);

  assign is_contention = (request_address ^ port) == dsv_registers_pkg::AT_CONTENTION && port < 16'(PORTS);
  assign is_credits    = (request_address ^ place) == dsv_registers_pkg::AT_CREDITS
    && place / 16'(dsv_registers_pkg::CREDITS_VC_PLACES) < 16'(PORTS)
    && place % 16'(dsv_registers_pkg::CREDITS_VC_PLACES) < 16'(VCS);
  assign is_errors     = request_address >= dsv_registers_pkg::AT_ERRORS
    && request_address < dsv_registers_pkg::AT_ERRORS + 16'(KINDS);
  assign is_staged_row = (request_address ^ row) == dsv_registers_pkg::AT_TABLE_ROW && row < 16'(ROWS);
  assign is_row_in_use = (request_address ^ row) == dsv_registers_pkg::IN_USE_TABLE_ROW && row < 16'(ROWS);

  // The commit that was asked for last, and how it ended.
  logic [15:0] generation;
  logic [3:0]  outcome;
  logic        busy, running, has_table;
  logic [31:0] commit;
  // The map has no registers for TRIGGER_ECTN and TRIGGER_UGAL.
  logic unused;
  assign unused = &{1'b0, read_thresholds.combined_threshold, read_thresholds.ugal_bias};

  logic        wants_thresholds, wants_table, wants_restart;
  assign wants_thresholds = commit[dsv_registers_pkg::COMMIT_THRESHOLDS_AT];
  assign wants_table      = commit[dsv_registers_pkg::COMMIT_TABLE_AT];
  assign wants_restart    = commit[dsv_registers_pkg::COMMIT_RESTART_AT];

  logic [14:0] declared_rows;
  logic [15:0] declared_checksum;
  logic [15:0] frames_corrupt, frames_short, frames_refused;

  // Counts of events, kind by kind; what software has seen of them; which kinds raise the interrupt line.
  localparam int unsigned EVENT_KINDS = 3;
  localparam int unsigned EVENT_W     = 8;
  logic [EVENT_KINDS*EVENT_W-1:0] events, events_seen;
  logic [EVENT_KINDS-1:0]         interrupt_enable;

  // What the register at this address holds.
  logic [31:0] value;
  logic        is_known, is_writable;
  always_comb begin
    value       = '0;
    is_known    = 1'b1;
    is_writable = 1'b0;
    case (request_address)
      dsv_registers_pkg::AT_VERSION: value = {dsv_registers_pkg::MAGIC, dsv_registers_pkg::MAJOR, dsv_registers_pkg::MINOR};
      dsv_registers_pkg::AT_SHAPE: value = {8'(COUNTER_WIDTH), 4'(TRIGGER), 4'(ROUTING), 8'(VCS), 8'(PORTS)};
      dsv_registers_pkg::AT_TABLE_SIZE: value = 32'(ROWS);
      dsv_registers_pkg::AT_STATUS: value = {8'd0, has_table, table_bank, running, busy, outcome, generation};
      dsv_registers_pkg::AT_FRAMES_CORRUPT: value = {16'd0, frames_corrupt};
      dsv_registers_pkg::AT_FRAMES_SHORT: value = {16'd0, frames_short};
      dsv_registers_pkg::AT_FRAMES_REFUSED: value = {16'd0, frames_refused};
      dsv_registers_pkg::AT_EVENTS: value = 32'(events);
      dsv_registers_pkg::IN_USE_ADDRESS: value = 32'(read_router);
      dsv_registers_pkg::IN_USE_WIRED: value = 32'(read_wired);
      dsv_registers_pkg::IN_USE_EXITS: value = 32'(read_exits);
      dsv_registers_pkg::IN_USE_TRIGGER: value = {30'd0, read_thresholds.contention_enable, read_thresholds.occupancy_enable};
      dsv_registers_pkg::IN_USE_CONTENTION_THRESHOLD: value = {16'd0, read_thresholds.contention_threshold};
      dsv_registers_pkg::IN_USE_CONTENTION_FACTOR: value = {16'd0, read_thresholds.contention_factor};
      dsv_registers_pkg::IN_USE_MINIMAL_OCCUPANCY: value = {16'd0, read_thresholds.minimal_occupancy};
      dsv_registers_pkg::IN_USE_RELATIVE_THRESHOLD: value = {16'd0, read_thresholds.relative_threshold};
      dsv_registers_pkg::IN_USE_RESTRICTION: value = {31'd0, read_thresholds.restriction};
      dsv_registers_pkg::IN_USE_RESTRICTION_FACTOR: value = {16'd0, read_thresholds.restriction_factor};
      dsv_registers_pkg::IN_USE_RESTRICTION_PACKETS: value = {16'd0, read_thresholds.restriction_packets};
      default: begin
        is_writable = 1'b1;
        case (request_address)
          dsv_registers_pkg::AT_COMMIT: value = commit;
          dsv_registers_pkg::AT_EVENTS_SEEN: value = 32'(events_seen);
          dsv_registers_pkg::AT_INTERRUPT_ENABLE: value = 32'(interrupt_enable);
          dsv_registers_pkg::AT_TABLE_ROWS: value = {17'd0, declared_rows};
          dsv_registers_pkg::AT_TABLE_CHECKSUM: value = {16'd0, declared_checksum};
          dsv_registers_pkg::AT_ADDRESS: value = 32'(config_router);
          dsv_registers_pkg::AT_WIRED: value = 32'(config_wired);
          dsv_registers_pkg::AT_EXITS: value = 32'(config_exits);
          dsv_registers_pkg::AT_SEED: value = config_seed;
          dsv_registers_pkg::AT_TRIGGER: value = {30'd0, config_contention_enable, config_occupancy_enable};
          dsv_registers_pkg::AT_CONTENTION_THRESHOLD: value = 32'(config_contention_threshold);
          dsv_registers_pkg::AT_CONTENTION_FACTOR: value = {16'd0, config_contention_factor};
          dsv_registers_pkg::AT_MINIMAL_OCCUPANCY: value = {16'd0, config_minimal_occupancy};
          dsv_registers_pkg::AT_RELATIVE_THRESHOLD: value = {16'd0, config_relative_threshold};
          dsv_registers_pkg::AT_RESTRICTION: value = {31'd0, config_restriction};
          dsv_registers_pkg::AT_RESTRICTION_FACTOR: value = {16'd0, config_restriction_factor};
          dsv_registers_pkg::AT_RESTRICTION_PACKETS: value = {16'd0, config_restriction_packets};
          default: begin
            is_writable = is_staged_row;
            is_known    = is_contention || is_credits || is_errors || is_staged_row || is_row_in_use;
            value       = is_staged_row ? 32'(table_read_staged) : is_row_in_use ? 32'(table_read_in_use) : '0;
            for (int p = 0; p < PORTS; p++) begin
              value = value | (32'(read_contention[p*COUNTER_WIDTH +: COUNTER_WIDTH])
                & {32{is_contention && port == 16'(p)}});
              for (int v = 0; v < VCS; v++) begin
                value = value | (32'(read_credits[(p*VCS + v)*CREDIT_W +: CREDIT_W])
                  & {32{is_credits && place == 16'(p * dsv_registers_pkg::CREDITS_VC_PLACES + v)}});
              end
            end
            for (int k = 0; k < KINDS; k++) begin
              value = value | (32'(read_errors[k*16 +: 16])
                & {32{request_address == dsv_registers_pkg::AT_ERRORS + 16'(k)}});
            end
          end
        endcase
      end
    endcase
  end

  // Whether the request is followed. To send a commit once more, because its answer was lost, is no fault. Registers of
  // the interrupt line are no part of a commit.
  logic       is_write, is_repeated, is_of_interrupt, commits, writes;
  logic [7:0] status;
  assign is_write    = request_command == dsv_registers_pkg::FRAME_WRITE;
  assign is_repeated = request_address == dsv_registers_pkg::AT_COMMIT
    && request_data[15:0] == (busy ? commit[15:0] : generation);
  assign is_of_interrupt = request_address == dsv_registers_pkg::AT_EVENTS_SEEN
    || request_address == dsv_registers_pkg::AT_INTERRUPT_ENABLE;
  always_comb begin
    status = dsv_registers_pkg::ANSWER_OK;
    if (!is_write && request_command != dsv_registers_pkg::FRAME_READ) status = dsv_registers_pkg::ANSWER_NO_SUCH_COMMAND;
    else if (!is_known) status = dsv_registers_pkg::ANSWER_NO_SUCH_REGISTER;
    else if (is_write && !is_writable) status = dsv_registers_pkg::ANSWER_READ_ONLY;
    else if (busy && (is_write ? !is_repeated && !is_of_interrupt : is_staged_row || is_row_in_use)) status = dsv_registers_pkg::ANSWER_BUSY;
  end
  assign writes  = request && is_write && status == dsv_registers_pkg::ANSWER_OK;
  assign commits = writes && request_address == dsv_registers_pkg::AT_COMMIT && !is_repeated;

  // The answer: what the register holds when the write is done and a row of the table has been read.
  logic [2:0] asked;
  always_ff @(posedge clk) begin
    asked <= rst ? '0 : {asked[1:0], request};
    if (rst) answer_status <= '0;
    else if (request) answer_status <= status;
    if (rst) answer_data <= '0;
    else if (asked[2]) answer_data <= answer_status == dsv_registers_pkg::ANSWER_OK ? value : '0;
  end

  // Staged registers.
  always_ff @(posedge clk) begin
    if (rst) begin
      declared_rows               <= dsv_registers_pkg::RESET_TABLE_ROWS[14:0];
      declared_checksum           <= dsv_registers_pkg::RESET_TABLE_CHECKSUM[15:0];
      config_router               <= ROUTER_W'(dsv_registers_pkg::RESET_ADDRESS);
      config_wired                <= PORTS'(dsv_registers_pkg::RESET_WIRED);
      config_exits                <= PORTS'(dsv_registers_pkg::RESET_EXITS);
      config_seed                 <= dsv_registers_pkg::RESET_SEED;
      config_occupancy_enable     <= dsv_registers_pkg::RESET_TRIGGER[dsv_registers_pkg::TRIGGER_OCCUPANCY_AT];
      config_contention_enable    <= dsv_registers_pkg::RESET_TRIGGER[dsv_registers_pkg::TRIGGER_CONTENTION_AT];
      config_contention_threshold <= COUNTER_WIDTH'(dsv_registers_pkg::RESET_CONTENTION_THRESHOLD);
      config_contention_factor    <= dsv_registers_pkg::RESET_CONTENTION_FACTOR[15:0];
      config_minimal_occupancy    <= dsv_registers_pkg::RESET_MINIMAL_OCCUPANCY[15:0];
      config_relative_threshold   <= dsv_registers_pkg::RESET_RELATIVE_THRESHOLD[15:0];
      config_restriction          <= dsv_registers_pkg::RESET_RESTRICTION[0];
      config_restriction_factor   <= dsv_registers_pkg::RESET_RESTRICTION_FACTOR[15:0];
      config_restriction_packets  <= dsv_registers_pkg::RESET_RESTRICTION_PACKETS[15:0];
    end else if (writes) begin
      case (request_address)
        dsv_registers_pkg::AT_TABLE_ROWS: declared_rows <= request_data[14:0];
        dsv_registers_pkg::AT_TABLE_CHECKSUM: declared_checksum <= request_data[15:0];
        dsv_registers_pkg::AT_ADDRESS: config_router <= ROUTER_W'(request_data);
        dsv_registers_pkg::AT_WIRED: config_wired <= PORTS'(request_data);
        dsv_registers_pkg::AT_EXITS: config_exits <= PORTS'(request_data);
        // From 0 the random register would never come away: it stays as it is, and the answer shows that.
        dsv_registers_pkg::AT_SEED: if (request_data != '0) config_seed <= request_data;
        dsv_registers_pkg::AT_TRIGGER: begin
          config_occupancy_enable  <= request_data[dsv_registers_pkg::TRIGGER_OCCUPANCY_AT];
          config_contention_enable <= request_data[dsv_registers_pkg::TRIGGER_CONTENTION_AT];
        end
        dsv_registers_pkg::AT_CONTENTION_THRESHOLD: config_contention_threshold <= COUNTER_WIDTH'(request_data);
        dsv_registers_pkg::AT_CONTENTION_FACTOR: config_contention_factor <= request_data[15:0];
        dsv_registers_pkg::AT_MINIMAL_OCCUPANCY: config_minimal_occupancy <= request_data[15:0];
        dsv_registers_pkg::AT_RELATIVE_THRESHOLD: config_relative_threshold <= request_data[15:0];
        dsv_registers_pkg::AT_RESTRICTION: config_restriction <= request_data[0];
        dsv_registers_pkg::AT_RESTRICTION_FACTOR: config_restriction_factor <= request_data[15:0];
        dsv_registers_pkg::AT_RESTRICTION_PACKETS: config_restriction_packets <= request_data[15:0];
        default: ;
      endcase
    end
  end

  // The staged bank of the routing table. A commit in progress reads it, and then it is not written.
  logic [SCAN_W-1:0] scan_row;
  logic              scanned;
  logic [15:0]       scan_sum, next_sum;
  assign table_write    = writes && is_staged_row;
  assign table_row      = ROUTER_W'(row);
  assign table_ports    = PORTS'(request_data);
  assign table_read_row = busy ? ROUTER_W'(scan_row) : ROUTER_W'(row);
  dsv_checksum #(.BITS(PORTS)) of_rows (.so_far(scan_sum), .bits(table_read_staged), .next(next_sum));

  // A commit: its rows are read, then it ends.
  logic       reads, ends, is_done;
  logic [3:0] verdict;
  assign reads   = busy && scan_row != SCAN_W'(ROWS);
  assign ends    = busy && !reads && !scanned;
  assign is_done = ends && verdict == dsv_registers_pkg::OUTCOME_DONE;
  always_comb begin
    verdict = dsv_registers_pkg::OUTCOME_DONE;
    if (wants_table && declared_rows != 15'(ROWS)) verdict = dsv_registers_pkg::OUTCOME_WRONG_ROWS;
    else if (wants_table && declared_checksum != scan_sum) verdict = dsv_registers_pkg::OUTCOME_WRONG_CHECKSUM;
    else if (ROUTING == dsv_pkg::ROUTING_TABLE && wants_restart && !wants_table && !has_table) begin
      verdict = dsv_registers_pkg::OUTCOME_NO_TABLE;
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      commit      <= dsv_registers_pkg::RESET_COMMIT;
      generation  <= '0;
      outcome     <= dsv_registers_pkg::OUTCOME_DONE;
      busy        <= 1'b0;
      running     <= 1'b0;
      has_table   <= 1'b0;
      table_bank  <= 1'b0;
      config_load <= 1'b0;
      router_rst  <= 1'b1;
      scan_row    <= '0;
      scanned     <= 1'b0;
      scan_sum    <= '0;
    end else begin
      config_load <= is_done && (wants_thresholds || wants_restart);
      router_rst  <= !running || (is_done && wants_restart);
      scanned     <= reads;
      if (reads) scan_row <= scan_row + 1'b1;
      if (scanned) scan_sum <= next_sum;
      if (commits) begin
        commit   <= {13'd0, request_data[18:0]};
        busy     <= 1'b1;
        scan_row <= request_data[dsv_registers_pkg::COMMIT_TABLE_AT] ? '0 : SCAN_W'(ROWS);
        scan_sum <= dsv_registers_pkg::FRAME_INITIAL;
      end
      if (ends) begin
        busy       <= 1'b0;
        generation <= commit[15:0];
        outcome    <= verdict;
      end
      if (is_done && wants_table) begin
        table_bank <= !table_bank;
        has_table  <= 1'b1;
      end
      if (is_done && wants_restart) running <= 1'b1;
    end
  end

  // What went wrong on the bus.
  always_ff @(posedge clk) begin
    if (rst) begin
      frames_corrupt <= '0;
      frames_short   <= '0;
      frames_refused <= '0;
    end else begin
      if (corrupt && frames_corrupt != '1) frames_corrupt <= frames_corrupt + 1'b1;
      if (short_frame && frames_short != '1) frames_short <= frames_short + 1'b1;
      if (request && status != dsv_registers_pkg::ANSWER_OK && frames_refused != '1) begin
        frames_refused <= frames_refused + 1'b1;
      end
    end
  end

  // Events. A protocol error is seen as a counter of the router that has changed; a router in reset counts none.
  logic [KINDS*16-1:0]    errors_before;
  logic [EVENT_KINDS-1:0] happens;
  assign happens[0] = ends;
  assign happens[1] = !router_rst && read_errors != errors_before;
  assign happens[2] = corrupt || short_frame || (request && status != dsv_registers_pkg::ANSWER_OK);

  always_ff @(posedge clk) begin
    if (rst) begin
      errors_before    <= '0;
      events           <= '0;
      events_seen      <= dsv_registers_pkg::RESET_EVENTS_SEEN[EVENT_KINDS*EVENT_W-1:0];
      interrupt_enable <= dsv_registers_pkg::RESET_INTERRUPT_ENABLE[EVENT_KINDS-1:0];
      irq              <= 1'b0;
    end else begin
      errors_before <= router_rst ? '0 : read_errors;
      for (int k = 0; k < EVENT_KINDS; k++) begin
        if (happens[k] && events[k*EVENT_W +: EVENT_W] + 1'b1 != events_seen[k*EVENT_W +: EVENT_W]) begin
          events[k*EVENT_W +: EVENT_W] <= events[k*EVENT_W +: EVENT_W] + 1'b1;
        end
      end
      if (writes && request_address == dsv_registers_pkg::AT_EVENTS_SEEN) begin
        events_seen <= request_data[EVENT_KINDS*EVENT_W-1:0];
      end
      if (writes && request_address == dsv_registers_pkg::AT_INTERRUPT_ENABLE) begin
        interrupt_enable <= request_data[EVENT_KINDS-1:0];
      end
      irq <= (interrupt_enable[0] && events[0*EVENT_W +: EVENT_W] != events_seen[0*EVENT_W +: EVENT_W])
          || (interrupt_enable[1] && events[1*EVENT_W +: EVENT_W] != events_seen[1*EVENT_W +: EVENT_W])
          || (interrupt_enable[2] && events[2*EVENT_W +: EVENT_W] != events_seen[2*EVENT_W +: EVENT_W]);
    end
  end
endmodule
