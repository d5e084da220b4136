import Fief
import LMDB

/// Replaces the value of a place. It writes only the entries that differ.
struct SubtreeWriter {
  /// A change of one entry; without a record it is removed.
  private struct Change {
    let key: [UInt8]
    let record: [UInt8]?
  }

  /// A part of a segment whose entries are to be replaced.
  struct Part {
    let segment: Int
    let base: [UInt8]
    let entries: NewEntries
  }

  /// The number of changes that are collected before they are written.
  private static let changesAtOnce = 4096
  /// The size of the records of such changes in bytes.
  private static let bytesAtOnce = 4 << 20

  let nodes: TreeNodes
  let writer: RecordWriter
  /// The scope of the write; `nil` in a migration.
  private let scope: WriteTransaction?
  /// The indexes of the store; `nil` if it has none.
  let indexes: IndexUpdates?
  /// The path of the place that is set.
  var path = TreePath()
  private var changes: [Change] = []
  /// The size of the keys and records of the changes in bytes.
  private var changedBytes = 0
  /// The number and the size of all written changes.
  private(set) var applied = 0
  private(set) var appliedBytes = 0
  /// The parts that wait: segments of anchors.
  var parts: [Part] = []
  /// The number of the next segment, once a search has found it.
  private var nextSegment: Int?
  /// Whether entries were changed.
  var hasChanged = false
  /// A cursor that is not in use between searches.
  private var cursor: Cursor?

  /// - Parameter scope: the scope of the write; `nil` in a migration.
  init(_ nodes: TreeNodes, _ writer: RecordWriter, in scope: WriteTransaction?) throws {
    self.nodes = nodes
    self.writer = writer
    self.scope = scope
    indexes = try IndexUpdates(nodes, EntryWriter(writer: writer, scope: scope))
  }

  /// Sets the value of a place, or removes it.
  ///
  /// - Parameters:
  ///   - value: the value; `nil` to remove the node.
  ///   - path: the path of the place.
  /// - Returns: whether something was different.
  /// - Throws: `FiefError`; the transaction must then not be committed.
  mutating func set(_ value: TreeValue?, at place: TreePlace, _ path: TreePath) throws -> Bool {
    self.path = path
    hasChanged = false
    if let value {
      let segment = try makeSegments(of: place)
      try replace(Part(segment: segment, base: place.last, entries: NewEntries(value, at: place.last)))
    } else {
      try remove(place)
    }
    try indexes?.didChange(at: path)
    return hasChanged
  }

  mutating func remove(_ place: TreePlace) throws {
    var segment = 0
    var anchors: [(key: [UInt8], target: Int)] = []
    for anchor in place.anchors {
      // Nothing is below a leaf.
      guard case .anchor(let target)? = try nodes.content(segment, anchor) else { return }
      anchors.append((NodeKey.key(segment, anchor), try nodes.checked(target, of: segment)))
      segment = anchors[anchors.count - 1].target
    }
    try replace(Part(segment: segment, base: place.last, entries: NewEntries()))
    // An anchor goes with the last entry of its segment.
    for anchor in anchors.reversed() {
      if try nodes.hasEntries(anchor.target, []) { return }
      changes.append(Change(key: anchor.key, record: nil))
      try apply()
    }
  }

  /// Makes the anchors that lead to a place, and removes a leaf above it.
  ///
  /// - Returns: the segment of the place.
  mutating func makeSegments(of place: TreePlace) throws -> Int {
    var segment = 0
    var isNew = false
    for anchor in place.anchors {
      let content = isNew ? nil : try nodes.content(segment, anchor)
      if case .anchor(let target)? = content {
        segment = try nodes.checked(target, of: segment)
        continue
      }
      if !isNew { try removeLeaf(above: anchor, in: segment) }
      isNew = true
      let target = try newSegment(below: segment)
      try put(NodeKey.key(segment, anchor), NodeContent.payload(ofAnchor: target))
      segment = target
    }
    if !isNew { try removeLeaf(above: place.last, in: segment) }
    try apply()
    return segment
  }

  /// Removes the leaf at a place of which another place is a descendant. If there is one, it is the entry
  /// before: nothing can be between them.
  private mutating func removeLeaf(above place: [UInt8], in segment: Int) throws {
    let key = NodeKey.key(segment, place)
    let cursor = try searcher()
    guard try key.withUnsafeBytes({ try cursor.seek(before: $0) }),
      let (found, above) = NodeKey.read(cursor.key), found == segment, above.count < place.count,
      place.starts(with: above)
    else { return }
    guard case .leaf = try nodes.content(of: cursor.key, cursor.value) else {
      throw nodes.damaged("An anchor of a tree has another entry below it.")
    }
    changes.append(Change(key: [UInt8](cursor.key), record: nil))
  }

  private mutating func searcher() throws -> Cursor {
    if let cursor { return cursor }
    let new = try nodes.cursor()
    cursor = new
    return new
  }

  /// Returns the number of a segment that is not in use, for an anchor in another segment.
  private mutating func newSegment(below segment: Int) throws -> Int {
    let new = try freeSegment()
    // Otherwise the damaged anchor of an empty segment leads here, and readers would refuse the new anchor.
    guard new > segment else {
      throw nodes.damaged("An anchor of a tree leads to a segment without entries.")
    }
    nextSegment = new + 1
    return new
  }

  /// Finds the number after the greatest one in use. It must be called before entries are removed, since a
  /// segment whose entries are replaced may have none for a while.
  private mutating func freeSegment() throws -> Int {
    if let nextSegment { return nextSegment }
    var segment = 0
    let cursor = try nodes.cursor()
    if try cursor.last() {
      guard let (last, _) = NodeKey.read(cursor.key), last < Int.max / 2 else {
        throw nodes.damaged("A key of a tree is damaged.")
      }
      segment = last
    }
    nextSegment = segment + 1
    return segment + 1
  }

  // MARK: Merging

  /// Replaces the entries of a part, and of the segments that its anchors lead to.
  private mutating func replace(_ part: Part) throws {
    parts = [part]
    var visited: Set<Int> = []
    while let part = parts.popLast() {
      guard visited.insert(part.segment).inserted else {
        throw nodes.damaged("Two anchors of a tree lead to one segment.")
      }
      var entries = part.entries
      try merge(&entries, into: part.segment, below: part.base)
    }
    try apply()
  }

  /// Compares the stored entries of a part of a segment with the new ones, in the order of their places.
  ///
  /// - Parameters:
  ///   - base: the place with which the part begins.
  ///   - didApply: called after some of the changes were written.
  mutating func merge<Source: EntrySource>(
    _ source: inout Source,
    into segment: Int,
    below base: [UInt8],
    didApply: (inout SubtreeWriter) throws -> Void = { _ in }
  ) throws {
    let prefix = NodeKey.prefix(segment, base)
    let cursor = try searcher()
    var found = try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    while true {
      let isStored = found && cursor.key.hasPrefix(prefix)
      let new = source.place
      guard isStored || new != nil else { return }
      var order = isStored ? -1 : 1
      if isStored {
        guard let (_, place) = NodeKey.read(cursor.key) else {
          throw nodes.damaged("A key of a tree is damaged.")
        }
        if let new { order = new.withUnsafeBytes { place.compare($0) } }
        if order <= 0 {
          let content = order == 0 ? source.content : nil
          try change(cursor, isLong: place.count > TreePlace.longestInline, to: content, in: segment)
          found = try cursor.next()
        }
      }
      if order > 0, let new { try insert(source.content, at: new, in: segment) }
      if order >= 0 { try source.advance() }
      if changes.count >= Self.changesAtOnce || changedBytes >= Self.bytesAtOnce {
        // The changes move the pages of the cursor, so it searches for its entry again.
        let next = found && cursor.key.hasPrefix(prefix) ? [UInt8](cursor.key) : nil
        try apply()
        try didApply(&self)
        found = try next.map { try $0.withUnsafeBytes { try cursor.seek(atOrAfter: $0) } } ?? false
      }
    }
  }

  /// Changes a stored entry.
  ///
  /// - Parameters:
  ///   - isLong: whether the place is long enough for an anchor.
  ///   - content: the new content; `nil` to remove the entry.
  private mutating func change(
    _ cursor: Cursor,
    isLong: Bool,
    to content: NewEntries.Content?,
    in segment: Int
  ) throws {
    let key = [UInt8](cursor.key)
    // Texts may be long, so the content of an entry is decoded only if it matters.
    let isDecoded = if case .leaf(.increment)? = content { true } else { isLong }
    var old: NodeContent?
    if isDecoded { old = try nodes.content(of: cursor.key, cursor.value) }
    var target: Int?
    if case .anchor(let number)? = old { target = try nodes.checked(number, of: segment) }
    switch content {
    case nil: changes.append(Change(key: key, record: nil))
    case .leaf(let leaf): try replace(cursor, key, with: try payload(of: leaf, after: old))
    case .payload(let payload): try replace(cursor, key, with: payload)
    case .segment:
      if target != nil { return }
      try put(key, NodeContent.payload(ofAnchor: try newSegment(below: segment)))
    case .anchor(let children):
      let entries = NewEntries(children)
      if let target { return parts.append(Part(segment: target, base: [], entries: entries)) }
      let new = try newSegment(below: segment)
      try put(key, NodeContent.payload(ofAnchor: new))
      parts.append(Part(segment: new, base: [], entries: entries))
    }
    // The segment of an anchor that is no longer there.
    if let target { parts.append(Part(segment: target, base: [], entries: NewEntries())) }
  }

  /// Replaces the payload of a stored entry if it differs.
  private mutating func replace(_ cursor: Cursor, _ key: [UInt8], with payload: [UInt8]) throws {
    let stored = try nodes.payload(of: cursor.key, cursor.value)
    if !stored.elementsEqual(payload) { try put(key, payload) }
  }

  private mutating func insert(
    _ content: NewEntries.Content,
    at place: ArraySlice<UInt8>,
    in segment: Int
  ) throws {
    let key = NodeKey.key(segment, place)
    switch content {
    case .leaf(let leaf): try put(key, try payload(of: leaf, after: nil))
    case .payload(let payload): try put(key, payload)
    case .segment: try put(key, NodeContent.payload(ofAnchor: try newSegment(below: segment)))
    case .anchor(let children):
      let target = try newSegment(below: segment)
      try put(key, NodeContent.payload(ofAnchor: target))
      parts.append(Part(segment: target, base: [], entries: NewEntries(children)))
    }
  }

  /// Returns the payload of a leaf, with the values of the server.
  ///
  /// - Parameter old: the content that the place has now.
  private func payload(of leaf: TreeLeaf, after old: NodeContent?) throws(FiefError) -> [UInt8] {
    let value: JSON =
      switch leaf {
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .double(let value): .double(value)
      case .string(let value): .string(value)
      case .timestamp: .int(writer.milliseconds())
      case .increment(let amount): if case .leaf(let old)? = old { old.adding(amount) } else { amount }
      }
    guard let payload = NodeContent.payload(of: value) else {
      throw FiefError(.invalidValue, "A sum is outside of the range of a double.", store: nodes.storeName)
    }
    return payload
  }

  // MARK: Writing

  private mutating func put(_ key: [UInt8], _ payload: [UInt8]) throws {
    let column = nodes.column.id
    let record = try RecordEditor.make(of: nodes.table) { $0.id == column ? payload : nil }
    changes.append(Change(key: key, record: record))
    changedBytes += key.count + record.count
  }

  /// Writes the collected changes.
  mutating func apply() throws {
    if changes.isEmpty { return }
    hasChanged = true
    try indexes?.willChange(at: path)
    let taken = changes
    changes = []
    applied += taken.count
    appliedBytes += changedBytes
    changedBytes = 0
    let removes = taken.contains { $0.record == nil }
    if removes { _ = try freeSegment() }
    try writer.writingManaged {
      if taken.contains(where: { $0.record != nil }) { try nodes.noteLayout(writer) }
      let removed = RecordBatch()
      for change in taken {
        try change.key.withUnsafeBytes { key in
          if let record = change.record {
            try record.withUnsafeBytes {
              try writer.put(key: key, record: $0, into: nodes.table, hasChecksum: true)
            }
          } else if scope == nil {
            _ = try writer.delete(key: key, from: nodes.table)
          } else {
            removed.append(key: key, record: UnsafeRawBufferPointer(start: nil, count: 0))
          }
        }
      }
      if !removes { return }
      try scope?.delete(removed, from: nodes.table)
      try nodes.forgetLayout(writer, in: scope)
    }
  }
}

extension JSON {
  /// Returns the sum of a stored value and an amount; the amount if the value is no number.
  func adding(_ amount: JSON) -> JSON {
    switch (self, amount) {
    case (.int(let first), .int(let second)):
      let (sum, overflows) = first.addingReportingOverflow(second)
      return overflows ? .double(Double(first) + Double(second)) : .int(sum)
    case (.int, .double), (.double, .int), (.double, .double):
      let sum = (double ?? 0) + (amount.double ?? 0)
      // An infinite sum has no payload.
      return sum.isFinite ? .double(sum) : .null
    default: return amount
    }
  }
}
