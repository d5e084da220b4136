import Fief

@testable import FiefCore
@testable import LMDB

extension FuzzTarget {
  /// Parts of records and of other entries: collections, their markers and nodes, values of any type, counts of full-text
  /// entries, and the tokens and times of commits.
  static let parts = FuzzTarget(
    name: "parts",
    longest: 1200,
    seeds: {
      var list = ValueWriter()
      CollectionPayload.appendSet(of: [[1, 0, 0, 0], [2, 0, 0, 0]], type: ColumnType(.int32), to: &list)
      var value = ValueWriter()
      try AnyRealmValue.list([.int(1), .string("a")])._append(to: &value)
      let marker = CollectionMarker(type: 7, column: 3, number: 1, count: 300)
      return [
        [0, ColumnType.Kind.int32.rawValue, 2] + list.bytes,
        [0, ColumnType.Kind.any.rawValue, 0] + value.bytes,
        [0, ColumnType.Kind.link.rawValue, 1] + marker.payload, [1] + ListNode().bytes(isRoot: true),
        [2, 1, 2, 3], [3] + [UInt8](repeating: 1, count: 32),
      ]
    },
    run: { input, defect in
      var rest = FuzzInput(input)
      switch rest.byte() % 4 {
      case 0:
        let kind = ColumnType.Kind(rawValue: rest.byte())
        guard let kind, kind != .linkingObjects else { return }
        let form = rest.byte()
        let container = ColumnType.Container(rawValue: form & 3) ?? .none
        let type = FuzzSchema.type(kind, isOptional: form & 4 != 0, container)
        try PayloadChecks.check(rest.remaining(), type, defect)
      case 1: try PartChecks.checkNode(rest.remaining())
      case 2:
        let value = rest.remaining()
        _ = try FuzzSchema.unlessDamaged { try value.withUnsafeBytes { _ = try FullTextEntry.read($0) } }
      default: try PartChecks.checkCommits(rest.remaining())
      }
    }
  )
}

enum PartChecks {
  /// A node of a large list is one that is written as the same bytes, or `damagedRecord`; its parts have all its elements.
  static func checkNode(_ given: [UInt8]) throws {
    var bytes = given
    guard bytes.count > 4 else { return }
    let sum = bytes.withUnsafeBytes { RecordChecksum.compute(.init(rebasing: $0[4...])) }
    withUnsafeBytes(of: sum.littleEndian) { bytes.replaceSubrange(0..<4, with: $0) }
    for isRoot in [true, false] {
      let node = try FuzzSchema.unlessDamaged {
        try bytes.withUnsafeBytes { try ListNode($0, isRoot: isRoot) }
      }
      guard let node else { continue }
      let written = node.bytes(isRoot: isRoot)
      let again = try written.withUnsafeBytes { try ListNode($0, isRoot: isRoot) }
      try require(again.bytes(isRoot: isRoot) == written && again.count == node.count, "node \(given.hex)")
      try require(node.count >= 0, "a negative number of elements: \(given.hex)")
      for type in [ColumnType(.int32, container: .list), ColumnType(.string, container: .list)] {
        let pieces = try FuzzSchema.unlessDamaged { try node.split(type: type, fillsFirst: isRoot) }
        guard let pieces, node.level > 0 || node.elements.bytes.count > ListNode.mostBytes else { continue }
        try require(pieces.reduce(0) { $0 + $1.count } == node.count, "the parts of \(given.hex)")
        _ = try FuzzSchema.unlessDamaged {
          try node.elements.run(node.elements.count / 2..<node.elements.count, type: type)
        }
      }
    }
  }

  static func checkCommits(_ bytes: [UInt8]) throws {
    bytes.withUnsafeBytes { buffer in
      _ = CommitToken.commit(in: buffer)
      let token = CommitToken()
      _ = token.record(after: buffer, sequence: 3)
      _ = token.isPresent(in: buffer, sequence: 3)
    }
    var times = bytes.withUnsafeBytes { CommitTimes($0) }
    let again = times.bytes.withUnsafeBytes { CommitTimes($0) }
    try require(again == times, "times of commits: \(bytes.hex)")
    let last = times.entries.last?.transaction ?? 0
    guard last < .max else { return }
    times.add(last + 1, at: 1_700_000_000)
    try require(times.entries.last?.transaction == last + 1, "the time of a commit is not kept: \(bytes.hex)")
    try require(times.entries.count <= CommitTimes.limit, "too many times")
    try require(times.seconds(after: last) == 1_700_000_000, "another time: \(bytes.hex)")
  }
}
