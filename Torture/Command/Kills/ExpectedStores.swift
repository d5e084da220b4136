import FiefTorture

/// What the stores of the producers have to have: it follows the lines of the processes, and takes over what was in flight when one
/// was killed.
struct ExpectedStores {
  struct Store {
    var version: UInt64 = 1
    var contents = (0..<ProducerWrite.producers).map { ProducedContent(producer: $0) }
    /// The contents after each write that was there once, by producer and number.
    var history = (0..<ProducerWrite.producers).map { [0: ProducedContent(producer: $0)] }
    /// The number of the last import that is complete.
    var imported: Int?
  }

  /// Something beside the writes that was begun and not reported as done.
  struct Pending {
    let kind: String
    let store: Int
    let argument: String
  }

  struct Problem: Error {
    let kind: String
    let text: String
  }

  struct Backup {
    let store: Int
    let version: UInt64
    /// The numbers of the writes that were acknowledged before it was begun.
    let numbers: [Int]
    let imported: Int?
    var isDone = false
  }

  let seed: Int
  /// The kind of all writes, if a defect needs one.
  let kind: ProducerWrite.Kind?
  private(set) var numbers = [Int](repeating: 1, count: ProducerWrite.producers)
  var stores = ProducerWrite.stores.map { _ in Store() }
  private(set) var pending: Pending?
  /// The import that the next process has to finish, as its argument.
  var unfinishedImport: String?
  var backups: [String: Backup] = [:]

  init(seed: Int, kind: ProducerWrite.Kind?) {
    self.seed = seed
    self.kind = kind
  }

  func write(_ producer: Int) -> ProducerWrite {
    ProducerWrite(seed: seed, producer: producer, number: numbers[producer], kind: kind)
  }

  mutating func apply(_ write: ProducerWrite) {
    for place in write.stores {
      stores[place].contents[write.producer].apply(write)
      stores[place].history[write.producer][write.number] = stores[place].contents[write.producer]
    }
    numbers[write.producer] += 1
  }

  // MARK: Lines of a process

  /// Follows the lines of one process, in their order.
  /// - Parameter dumps: what the backups have that are there after its end.
  mutating func follow(_ lines: [String], _ dumps: [String: ProducedDump]) throws {
    pending = nil
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      switch (words.first, words.count) {
      case ("ack", 3):
        guard let producer = Int(words[1]), Int(words[2]) == numbers[producer] else {
          throw Problem(kind: "output", text: line)
        }
        apply(write(producer))
      case ("begin", 4), ("done", 4):
        guard let store = ProducerWrite.stores.firstIndex(of: words[2]) else { continue }
        let event = Pending(kind: words[1], store: store, argument: words[3])
        if words[0] == "begin" { begin(event) } else { try end(event, dumps) }
      case ("drop", 2): backups[words[1]] = nil
      default: break
      }
    }
  }

  private mutating func begin(_ event: Pending) {
    if event.kind == "backup" {
      let store = stores[event.store]
      backups[event.argument] = Backup(
        store: event.store,
        version: store.version,
        numbers: store.contents.map(\.number),
        imported: store.imported
      )
      return
    }
    pending = event
    if event.kind == "import" { unfinishedImport = "\(ProducerWrite.stores[event.store]):\(event.argument)" }
  }

  mutating func end(_ event: Pending, _ dumps: [String: ProducedDump]) throws {
    switch event.kind {
    case "backup":
      backups[event.argument]?.isDone = true
      return
    case "migrate": stores[event.store].version = 2
    case "import":
      unfinishedImport = nil
      stores[event.store].imported = Int(event.argument)
    default: try restore(event, dumps)
    }
    pending = nil
  }

  private mutating func restore(_ event: Pending, _ dumps: [String: ProducedDump]) throws {
    guard let backup = backups[event.argument] else {
      throw Problem(kind: "output", text: "a backup \(event.argument) was restored")
    }
    guard let dump = dumps[event.argument] else {
      throw Problem(kind: "lost backup", text: "\(event.argument) was restored and is not there")
    }
    for (producer, number) in dump.numbers.enumerated() {
      guard let content = stores[event.store].history[producer][number] else {
        throw Problem(
          kind: "backup",
          text: "\(event.argument) has write \(number) of producer \(producer), which its store never had"
        )
      }
      stores[event.store].contents[producer] = content
    }
    stores[event.store].version = backup.version
    stores[event.store].imported = backup.imported
  }
}
