extension Row {
  /// Every row, in the order of the table.
  static let all =
    (inserts + commits + reads + queries + changes + lists + sets + observing + opening + migrations + sizes
    + more + trees).flatMap { [$0, $0.encrypted].compactMap(\.self) }

  private static let inserts = [
    Row(name: "A", title: "insert objects, one durable commit", unit: .run, goal: .ratio(1.4)),
    Row(name: "A_idx", title: "the same with two indexes", unit: .run, goal: .ratio(1.3)),
    Row(name: "A_rel", title: "persons with three dogs each", unit: .run, goal: .ratio(1.5)),
  ]

  private static let commits = [
    Row(name: "B", title: "one durable insert after another", goal: .ratio(1.1)),
    Row(name: "B2", title: "eight producers, per durable insert", goal: .ratio(0.25)),
    Row(name: "B2g", title: "the same, peers with a group commit"),
    Row(name: "Bu", title: "one durable update after another", goal: .ratio(1.1)),
  ]

  private static let reads = [
    Row(name: "C", title: "point read, one scope", times: 2, goal: .ratio(1.6)),
    Row(name: "C_tx", title: "point read, a scope each", times: 2, goal: .ratio(1.6)),
    Row(name: "C_cold", title: "point read, right after opening", times: 5),
    Row(name: "C_repo", title: "C_tx through the repository", times: 2, base: "C_tx"),
    Row(name: "D", title: "scan, materializing all objects", unit: .run, times: 3, goal: .ratio(1.4)),
    Row(name: "D_cold", title: "D right after opening", unit: .run, times: 3),
    Row(name: "D_iter", title: "D by iterating over results", unit: .run, times: 3, base: "D"),
    Row(name: "C_usage", title: "C under a label, with budgets", times: 2, base: "C"),
    Row(name: "D_usage", title: "D under a label, with budgets", unit: .run, times: 3, base: "D"),
    Row(name: "J", title: "count", times: 20_000, goal: .seconds(1e-6)),
  ]

  private static let queries = [
    Row(name: "D2", title: "sum of one property", unit: .run, times: 3, goal: .ratio(1.2)),
    Row(name: "E", title: "age range and prefix", unit: .run, times: 3, goal: .ratio(1.2)),
    Row(name: "E_cold", title: "E right after opening", unit: .run, times: 3),
    Row(name: "E2", title: "age == 37", unit: .run, times: 3, goal: .ratio(1.2)),
    Row(name: "F", title: "E with the index", unit: .run, times: 3, goal: .ratio(1.2)),
    Row(name: "F2", title: "E2 with the index", unit: .run, times: 3, goal: .ratio(1.4)),
    Row(name: "F3", title: "range with the index", unit: .run, times: 3, goal: .ratio(1.25)),
    Row(name: "F_max", title: "greatest age with the index", times: 20_000),
    Row(name: "G", title: "first 100 by age, name", unit: .run, times: 3, goal: .ratio(1.3)),
    Row(name: "K", title: "page of 20 after a cursor", goal: .ratio(1.3)),
    Row(name: "L", title: "sum over a relation", unit: .run, times: 3, goal: .ratio(1.1)),
    Row(name: "L_obj", title: "L by a loop over objects", unit: .run, times: 3, base: "L"),
  ]

  private static let changes = [
    Row(name: "H", title: "update 10,000, one commit", unit: .run, times: 3, goal: .ratio(1.2)),
    Row(name: "H_idx", title: "the same, indexed property", unit: .run, times: 3, goal: .ratio(1.2)),
    Row(
      name: "H_bulk",
      title: "update all with age below 10, one commit",
      unit: .run,
      times: 3,
      goal: .ratio(1)
    ),
    Row(name: "Batch", title: "batch of 100 increments, per increment"),
    Row(name: "Inc8", title: "eight tasks increment one property, durable each", goal: .ratio(0.25)),
    Row(name: "Tx", title: "transaction that reads and sets an object, durable each", base: "Bu"),
    Row(name: "Tx8", title: "eight tasks with transactions on one object, durable each", base: "Bu"),
    Row(name: "I", title: "delete 10,000, one commit", unit: .run, times: 3, goal: .ratio(1.2)),
    Row(name: "I_idx", title: "the same, two indexes", unit: .run, times: 3, goal: .ratio(1.15)),
    Row(name: "S", title: "save a fetched object, one change", base: "Bu"),
    Row(name: "H_held", title: "H with objects read before", unit: .run, times: 3, base: "H"),
    Row(name: "Get", title: "read a property outside a write", times: 3, goal: .seconds(5e-9)),
    Row(name: "Get_other", title: "the same while another thread writes", times: 3, goal: .seconds(2e-8)),
    Row(name: "Set", title: "assign a property outside a write", times: 3, goal: .seconds(5e-9)),
    Row(name: "Set_other", title: "the same while another thread writes", times: 3, goal: .seconds(2e-8)),
  ]

  private static let lists = ["100", "10k", "1m"].flatMap { size in
    [
      Row(name: "List_append_\(size)", title: "append to a list of \(size) links"),
      Row(name: "List_insert_\(size)", title: "insert in the middle of it"),
      Row(name: "List_move_\(size)", title: "move an element of it"),
      Row(name: "List_remove_\(size)", title: "remove an element of it"),
      Row(name: "List_get_\(size)", title: "read an element of it by its index"),
      Row(
        name: "List_loop_\(size)",
        title: "count elements that match a condition in a loop",
        times: 3
      ),
      Row(name: "List_where_\(size)", title: "the same as a query of the list", times: 3),
      Row(name: "List_some_\(size)", title: "query of it that returns ten objects", times: 3),
    ]
  }

  private static let sets = [
    Row(name: "Set_get_10k", title: "find a string in a set of 10k", times: 3),
    Row(name: "Set_add_10k", title: "add a string to it", times: 3),
    Row(name: "Set_loop_10k", title: "iterate over it, per element", times: 3),
    Row(name: "Map_get_10k", title: "find a key in a map of 10k", times: 3),
    Row(name: "Map_add_10k", title: "add a key to it", times: 3),
    Row(name: "Map_loop_10k", title: "iterate over it, per entry", times: 3),
  ]

  private static let observing =
    [0, 1, 100, 1000].map {
      Row(name: "W_\($0)", title: "durable update of two, \($0) observers", goal: .ratio(1.1))
    }
    + [0, 1, 100, 1000].map { Row(name: "Wq_\($0)", title: "the same, not synced, \($0) observers") }
    + [
      Row(
        name: "Diff_same",
        title: "10,000 changed in a sorted result, to the handler",
        unit: .run,
        times: 3
      ),
      Row(name: "Diff_move", title: "10,000 moved in it", unit: .run, times: 3),
      Row(name: "Diff_del", title: "10,000 deleted from it", unit: .run, times: 3),
      Row(name: "Diff_add", title: "10,000 inserted into it", unit: .run, times: 3),
      Row(name: "Tell", title: "from a commit to the handler, waking a thread"),
    ]

  private static let opening = [
    Row(name: "M", title: "open and read one, new process", times: 10, goal: .ratio(3)),
    Row(name: "M_50", title: "the same with fifty types", times: 10),
    Row(name: "M_mem", title: "open a store in memory", times: 20),
  ]

  private static let migrations = [
    Row(name: "V_1k", title: "open and migrate, 1,000 objects", times: 5),
    Row(name: "V_1m", title: "open and migrate, 1,000,000 objects", times: 5),
  ]

  private static let sizes = [
    Row(name: "N", title: "files", unit: .bytes, goal: .ratio(0.9)),
    Row(name: "N_idx", title: "files with two indexes", unit: .bytes, goal: .ratio(0.85)),
    Row(name: "N_rel", title: "files with dogs", unit: .bytes),
    Row(name: "O", title: "peak memory of A, streamed", unit: .bytes, goal: .ratio(2)),
  ]

  private static let more = [
    Row(name: "Q", title: "write queue, not synced, one caller"),
    Row(name: "Q8", title: "the same, eight tasks", base: "Q"),
    Row(name: "T", title: "object with ten links and a list", times: 3, base: "D"),
    Row(name: "T_links", title: "T, each link followed once", times: 1, base: "C"),
    Row(name: "D_link", title: "insert objects with a link", unit: .run, base: "A"),
    Row(name: "D_sum", title: "the same, with a count and a sum at the other end", unit: .run, base: "A"),
    Row(name: "JSON", title: "import objects from JSON", unit: .run, base: "A"),
    Row(name: "disk", title: "4 KiB written and synced, bare"),
  ]

  private static let trees = [
    Row(
      name: "T_set",
      title: "tree: set one leaf, durable",
      goal: .limits([
        Limit(ratio: 1.2, peer: .fief, row: "Bu", title: "Bu"),
        Limit(ratio: 1.5, peer: .sqlite, row: "T_set_json", title: "JSON"),
      ])
    ),
    Row(name: "T_set_json", title: "the same with json_set in texts of 1,000 leaves"),
    Row(
      name: "T_far",
      title: "T_set with 10,000 observations elsewhere",
      goal: .limits([Limit(ratio: 1.05, peer: .fief, row: "T_set", title: "T_set")])
    ),
    Row(name: "T_get", title: "a leaf below a node with many children", times: 3, goal: .ratio(2)),
    Row(
      name: "T_read",
      title: "1,000 leaves of 250 messages",
      times: 3,
      goal: .limits([
        Limit(ratio: 6, peer: .lmdb, title: "LMDB"), Limit(ratio: 1, peer: .sqlite, title: "SQLite"),
      ])
    ),
    Row(name: "T_update", title: "1,000 paths, one commit", unit: .run, times: 3, goal: .ratio(2.5)),
    Row(name: "T_keys", title: "names of nodes with 1,000 leaves each", times: 20, goal: .ratio(2.5)),
    Row(name: "T_import", title: "all leaves from a JSON file, one commit", unit: .run, goal: .ratio(6)),
    Row(name: "T_export", title: "all leaves into a JSON file", unit: .run, goal: .ratio(4)),
    Row(name: "T_query", title: "the last 20 of many children by an index", times: 3, goal: .ratio(3)),
    Row(
      name: "T_window",
      title: "from a set to the handler of a window over many children",
      goal: .limits([Limit(ratio: 1.2, peer: .fief, row: "T_window_1k", title: "1,000")])
    ),
    Row(name: "T_window_1k", title: "the same over 1,000 children"),
    Row(
      name: "T_file",
      title: "files of a tree",
      unit: .bytes,
      goal: .limits([Limit(ratio: 1.5, peer: .sqlite, title: "SQLite")])
    ),
    Row(name: "T_free", title: "update of 1,000 places without rules, one durable commit", times: 3),
    Row(
      name: "T_rules",
      title: "the same by a client, three rules for each place",
      times: 3,
      goal: .limits([Limit(ratio: 1.5, peer: .fief, row: "T_free", title: "T_free")])
    ),
  ]
}
