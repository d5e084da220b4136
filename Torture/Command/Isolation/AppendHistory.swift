/// A history of transactions that append to lists and read them, and the anomalies in it.
///
/// A list tells the order of the writes to it, so that the dependencies between transactions follow from what they read: a cycle of
/// them is an anomaly. The way of looking at histories is that of Elle (Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from
/// Experimental Observations", VLDB 2020). What ended before another transaction began comes before it, too.
struct AppendHistory {
  static let emptyHash: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The hash of a list by that of the list without its last value (FNV-1a over eight bytes at once).
  static func hash(_ hash: UInt64, _ value: Int) -> UInt64 {
    (hash ^ UInt64(bitPattern: Int64(value))) &* 0x100_0000_01b3
  }

  struct Transaction {
    var begin: UInt64
    /// nil where it is not known whether the transaction was done.
    var end: UInt64?
    var reads: [(key: Int, length: Int, hash: UInt64)] = []
    var appends: [(key: Int, value: Int)] = []
    let line: String
  }

  private(set) var transactions: [Transaction] = []
  private var aborted: Set<Int> = []
  private var tries: [String: Transaction] = [:]
  private(set) var problems: [String] = []

  /// - Parameter lines: those of all processes.
  init(_ lines: [String]) {
    for line in lines {
      let words = line.split(separator: " ")
      switch words.first {
      case "txn" where words.count >= 6: add(words, line)
      case "try" where words.count >= 3:
        var transaction = Transaction(begin: 0, end: nil, line: line)
        Self.read(words[3...], into: &transaction)
        tries["\(words[1]) \(words[2])"] = transaction
      case "wrong": problems.append(line)
      default: break
      }
    }
  }

  private mutating func add(_ words: [Substring], _ line: String) {
    var transaction = Transaction(begin: UInt64(words[3]) ?? 0, end: UInt64(words[4]), line: line)
    Self.read(words[6...], into: &transaction)
    tries["\(words[1]) \(words[2])"] = nil
    if words[5] == "abort" {
      aborted.formUnion(transaction.appends.map(\.value))
    } else {
      transactions.append(transaction)
    }
  }

  private static func read(_ words: ArraySlice<Substring>, into transaction: inout Transaction) {
    var words = words
    while let word = words.popFirst() {
      let numbers = (0..<(word == "r" ? 3 : 2)).compactMap { _ in words.popFirst() }
      if word == "r", numbers.count == 3, let key = Int(numbers[0]), let length = Int(numbers[1]),
        let hash = UInt64(numbers[2])
      {
        transaction.reads.append((key, length, hash))
      } else if word == "a", numbers.count == 2, let key = Int(numbers[0]), let value = Int(numbers[1]) {
        transaction.appends.append((key, value))
      }
    }
  }

  // MARK: Anomalies

  /// - Parameter lists: the lists at the end.
  mutating func check(_ lists: [Int: [Int]]) {
    // A write whose process was killed is done where one of its values is there.
    let stored = Set(lists.values.joined())
    for transaction in tries.values where transaction.appends.contains(where: { stored.contains($0.value) }) {
      transactions.append(transaction)
    }
    var writers: [Int: Int] = [:]
    for (index, transaction) in transactions.enumerated() {
      for append in transaction.appends {
        writers[append.value] = index
        if !stored.contains(append.value) { problems.append("lost: \(append.value) of: \(transaction.line)") }
      }
    }
    for (key, list) in lists {
      if Set(list).count != list.count { problems.append("list \(key) has a number twice") }
      for value in list where writers[value] == nil {
        problems.append(
          "list \(key) has \(value), which \(aborted.contains(value) ? "was aborted" : "nothing appended")"
        )
      }
    }
    guard problems.isEmpty else { return }
    findCycles(dependencies(lists, writers))
  }

  /// For each transaction those that come after it.
  ///
  /// Behind the transactions follow nodes for the moments at which one ended, so that the order of time needs few edges.
  private mutating func dependencies(_ lists: [Int: [Int]], _ writers: [Int: Int]) -> [[Int32]] {
    let count = transactions.count
    let ends = transactions.indices.filter { transactions[$0].end != nil }
      .sorted { (transactions[$0].end ?? 0) < (transactions[$1].end ?? 0) }
    var edges = [[Int32]](repeating: [], count: count + ends.count)
    func add(_ first: Int?, _ second: Int?) {
      if let first, let second, first != second { edges[first].append(Int32(second)) }
    }
    for (position, index) in ends.enumerated() {
      add(index, count + position)
      if position > 0 { add(count + position - 1, count + position) }
    }
    let times = ends.map { transactions[$0].end ?? 0 }
    for (index, transaction) in transactions.enumerated() where transaction.end != nil {
      var (low, high) = (0, times.count)
      while low < high {
        let middle = (low + high) / 2
        if times[middle] < transaction.begin { low = middle + 1 } else { high = middle }
      }
      if low > 0 { add(count + low - 1, index) }
    }
    var hashes: [Int: [UInt64]] = [:]
    for (key, list) in lists {
      hashes[key] = list.reduce(into: [Self.emptyHash]) { $0.append(Self.hash($0[$0.count - 1], $1)) }
      for (first, second) in zip(list, list.dropFirst()) { add(writers[first], writers[second]) }
    }
    for (index, transaction) in transactions.enumerated() {
      for read in transaction.reads {
        let (list, prefixes) = (lists[read.key] ?? [], hashes[read.key] ?? [Self.emptyHash])
        guard read.length < prefixes.count, prefixes[read.length] == read.hash else {
          problems.append("a read of list \(read.key) is no beginning of the list: \(transaction.line)")
          continue
        }
        if read.length > 0 { add(writers[list[read.length - 1]], index) }
        if read.length < list.count { add(index, writers[list[read.length]]) }
      }
    }
    return edges
  }

  /// Takes away what depends on nothing that is left; what stays is in a cycle, or behind one.
  private mutating func findCycles(_ edges: [[Int32]]) {
    var incoming = [Int](repeating: 0, count: edges.count)
    for targets in edges { for target in targets { incoming[Int(target)] += 1 } }
    var free = incoming.indices.filter { incoming[$0] == 0 }
    var left = edges.count
    while let node = free.popLast() {
      left -= 1
      for target in edges[node] {
        incoming[Int(target)] -= 1
        if incoming[Int(target)] == 0 { free.append(Int(target)) }
      }
    }
    guard left > 0 else { return }
    let first = transactions.indices.first { incoming[$0] > 0 }
    problems.append(
      "transactions depend on each other in a cycle, among them: \(first.map { transactions[$0].line } ?? "")"
    )
  }
}
