import FiefTorture

extension ExpectedStores {
  /// Compares with what the stores and the backups have after the end of the process, and takes that over.
  mutating func compare(_ dumps: [ProducedDump], _ backupDumps: [String: ProducedDump]) throws {
    for (place, dump) in dumps.enumerated() {
      if let problem = dump.problems.first {
        throw Problem(kind: "inconsistent", text: "\(ProducerWrite.stores[place]): \(problem)")
      }
    }
    if let pending, pending.kind == "restore", isRestored(pending, dumps[pending.store], backupDumps) {
      try end(pending, backupDumps)
    } else if let pending, pending.kind == "migrate", dumps[pending.store].version == 2 {
      try end(pending, backupDumps)
    }
    for producer in 0..<ProducerWrite.producers { try takeOver(producer, dumps) }
    for (place, dump) in dumps.enumerated() { try compare(place, dump) }
    try compare(backupDumps)
  }

  /// Whether the store has what the backup has, where that differs from what it had.
  private func isRestored(_ event: Pending, _ dump: ProducedDump, _ dumps: [String: ProducedDump]) -> Bool {
    guard let backup = dumps[event.argument] else { return false }
    return dump.version == backup.version && dump.numbers == backup.numbers
      && dump.imported == backup.imported
      && dump.lines == backup.lines
  }

  /// The write in flight of a producer is in all of its stores, or in none.
  private mutating func takeOver(_ producer: Int, _ dumps: [ProducedDump]) throws {
    let write = write(producer)
    let having = write.stores.filter { dumps[$0].numbers[producer] == write.number }
    if having.isEmpty { return }
    guard having == write.stores else {
      throw Problem(
        kind: "half",
        text: "write \(write.number) of producer \(producer) to the stores \(write.stores) is in \(having)"
      )
    }
    apply(write)
  }

  private mutating func compare(_ place: Int, _ dump: ProducedDump) throws {
    let (name, store) = (ProducerWrite.stores[place], stores[place])
    guard dump.version == store.version else {
      throw Problem(kind: "version", text: "\(name) has version \(dump.version) instead of \(store.version)")
    }
    for (producer, content) in store.contents.enumerated() {
      let number = dump.numbers[producer]
      guard number == content.number else {
        throw Problem(
          kind: number < content.number ? "lost" : "unknown write",
          text: "\(name) has write \(number) of producer \(producer), \(content.number) was acknowledged"
        )
      }
      if let difference = Self.difference(dump.lines[producer], content.lines) {
        throw Problem(
          kind: "wrong",
          text: "\(name), producer \(producer), after write \(number): \(difference)"
        )
      }
    }
    try compareImports(place, dump)
  }

  /// All of the last import; while one goes on what was there before, nothing, or whole batches of it.
  private mutating func compareImports(_ place: Int, _ dump: ProducedDump) throws {
    let whole = stores[place].imported.map { [$0: ProducedImport.lines] } ?? [:]
    if dump.imported == whole { return }
    if let number = unfinishedImport?.split(separator: ":"), number[0] == ProducerWrite.stores[place],
      dump.imported.keys.allSatisfy({ "\($0)" == number[1] })
    {
      let count = dump.imported.values.first ?? 0
      if count % ProducedImport.batch == 0 || count == ProducedImport.lines {
        // The items of the import before were deleted first.
        return stores[place].imported = nil
      }
    }
    throw Problem(kind: "import", text: "\(ProducerWrite.stores[place]) has \(dump.imported), not \(whole)")
  }

  /// Each backup is one state that its store has had, not older than its beginning.
  private mutating func compare(_ dumps: [String: ProducedDump]) throws {
    for (name, backup) in backups {
      guard let dump = dumps[name] else {
        if backup.isDone { throw Problem(kind: "lost backup", text: "\(name) was made and is not there") }
        backups[name] = nil
        continue
      }
      if let problem = dump.problems.first { throw Problem(kind: "backup", text: "\(name): \(problem)") }
      let whole = backup.imported.map { [$0: ProducedImport.lines] } ?? [:]
      guard dump.version == backup.version, dump.imported == whole else {
        throw Problem(kind: "backup", text: "\(name): version \(dump.version), imports \(dump.imported)")
      }
      for (producer, number) in dump.numbers.enumerated() {
        let content = stores[backup.store].history[producer][number]
        guard number >= backup.numbers[producer], let content else {
          let text =
            "\(name) has write \(number) of producer \(producer), begun after \(backup.numbers[producer])"
          throw Problem(kind: "backup", text: text)
        }
        if let difference = Self.difference(dump.lines[producer], content.lines) {
          throw Problem(kind: "backup", text: "\(name), producer \(producer): \(difference)")
        }
      }
      backups[name]?.isDone = true
    }
  }

  private static func difference(_ stored: [String], _ expected: [String]) -> String? {
    if stored == expected { return nil }
    let more = stored.filter { !expected.contains($0) }
    let less = expected.filter { !stored.contains($0) }
    return "it has \(more.prefix(3)) and lacks \(less.prefix(3))"
  }
}
