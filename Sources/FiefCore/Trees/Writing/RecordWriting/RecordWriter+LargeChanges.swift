import Foundation
import LMDB

/// Changes large collections by writing only the differences.
extension RecordWriter {
  /// Replaces a range of a large list.
  func replace(_ range: Range<Int>, of list: LargeList, with new: ElementRun, _ owner: Owner) throws {
    if try range.count == new.count && list.elements(range).bytes == new.bytes { return }
    willChange(nil)
    try walks.willReplace(range, byCount: new.count, of: list.prefix)
    knownCollections.willChange(list.prefix)
    noteContents(of: owner)
    if owner.type.kind == .link {
      let gone = try list.elements(range)
      try noteLinks(list, gone: gone, come: new, owner)
      try noteDerivations(ofMembersOf: owner, gone: gone, come: new)
    }
    try list.replace(range, with: new)
    try noteVersion(of: list)
    tally.putElements(of: owner.table, bytes: new.bytes.count)
    collectionChanges &+= 1
  }

  /// Inserts an element into a large set or removes it, and returns whether the set changed.
  func change(_ set: LargeTable, _ element: UnsafeRawBufferPointer, isAdded: Bool, _ owner: Owner) throws
    -> Bool
  {
    willChange(nil)
    try walks.willChange(set.prefix, at: set.entryKey(of: element))
    knownCollections.willChange(set.prefix)
    guard try isAdded ? set.insert(element) : set.remove(element) else { return false }
    walks.didChange(set.prefix, by: isAdded ? 1 : -1)
    try set.setCount(try set.existingCount() + (isAdded ? 1 : -1))
    if isAdded { tally.putElements(of: owner.table, bytes: element.count) }
    try noteVersion(of: set)
    noteContents(of: owner)
    if owner.type.kind == .link {
      let run = Self.run(element, owner.type)
      let (gone, come) = isAdded ? (.none, run) : (run, ElementRun.none)
      try noteLinks(set, gone: gone, come: come, owner)
      try noteDerivations(ofMembersOf: owner, gone: gone, come: come)
    }
    collectionChanges &+= 1
    return true
  }

  /// Sets the element for a key of a large map, or removes the key if `element` is `nil`.
  func set(
    _ element: UnsafeRawBufferPointer?,
    of name: UnsafeRawBufferPointer,
    in map: LargeTable,
    _ owner: Owner
  ) throws {
    try willChange(map)
    let old: [UInt8]?
    if let element {
      old = try map.set(element, of: name)
      tally.putElements(of: owner.table, bytes: name.count + element.count)
    } else {
      old = try map.withElement(of: name) { $0.map { [UInt8]($0) } }
      guard old != nil else { return }
      _ = try map.remove(name)
    }
    let isSame =
      element.flatMap { element in old?.withUnsafeBytes { $0.hasSameBytes(as: element) } } ?? false
    if isSame { return }
    try noteVersion(of: map)
    noteContents(of: owner)
    let difference = (element == nil ? 0 : 1) - (old == nil ? 0 : 1)
    if difference != 0 { try map.setCount(try map.existingCount() + difference) }
    if owner.type.kind == .link {
      let gone = old.map { $0.withUnsafeBytes { Self.run($0, owner.type, key: name) } } ?? .none
      let come = element.map { Self.run($0, owner.type, key: name) } ?? .none
      try noteLinks(map, gone: gone, come: come, owner)
      try noteDerivations(ofMembersOf: owner, gone: gone, come: come)
    }
    collectionChanges &+= 1
  }

  static func run(_ element: UnsafeRawBufferPointer, _ type: ColumnType, key: UnsafeRawBufferPointer? = nil)
    -> ElementRun
  {
    var writer = ValueWriter(reserving: element.count + 9)
    if type.container == .map { writer.appendSized { writer in if let key { writer.append(key) } } }
    CollectionPayload.append(element, type: type, to: &writer)
    return ElementRun(writer.bytes, count: 1)
  }

  /// Makes each walk through a large collection copy its remaining elements. Called before each change.
  func willChange(_ collection: LargeCollection) throws {
    willChange(nil)
    try walks.willChange(collection.prefix)
    knownCollections.willChange(collection.prefix)
  }

  /// Records that a large list has the same members in another order.
  func didReorderMembers(of list: LargeList, _ owner: Owner) throws {
    try noteVersion(of: list)
    collectionChanges &+= 1
    noteContents(of: owner)
    noteDerivations(ofOrderOf: owner)
  }

  /// Removes deleted objects from a large collection.
  ///
  /// The first deletion walks through the list or map. The second deletion records the positions of all
  /// links, which later deletions use.
  func removeTargets(
    _ targets: [[UInt8]],
    isGone: (UnsafeRawBufferPointer) -> Bool,
    from collection: LargeCollection,
    _ owner: Owner
  ) throws {
    let type = owner.type
    if let table = collection as? LargeTable, type.container == .set {
      for target in targets {
        let element = (type.isOptional ? [1] : []) + target
        _ = try element.withUnsafeBytes { try change(table, $0, isAdded: false, owner) }
      }
      return
    }
    var places: LinkPlaces?
    if let known = knownCollections.takeLinks(of: collection.prefix) {
      places = known
      if places == nil {
        knownCollections.noteSearch()
        places = try LinkPlaces(of: collection)
      }
    }
    if let list = collection as? LargeList {
      let indexes = try places?.takeIndexes(of: targets, in: list) ?? indexes(of: isGone, in: list)
      for range in indexes.ranges.reversed() { try replace(range, of: list, with: .none, owner) }
    } else if let map = collection as? LargeTable {
      let names = try places?.takeNames(of: targets, in: map) ?? names(of: isGone, in: map)
      // If the map allows nil elements, the key stays with nil.
      let element: [UInt8]? = type.isOptional ? [0] : nil
      for name in names {
        try name.withUnsafeBytes { name in
          try element.withBytes { try set($0, of: name, in: map, owner) }
        }
      }
    }
    knownCollections.keepLinks(places, of: collection.prefix)
  }

  /// Returns the indexes of deleted objects in a list, in order.
  private func indexes(of isGone: (UnsafeRawBufferPointer) -> Bool, in list: LargeList) throws -> [Int] {
    knownCollections.noteSearch()
    var indexes: [Int] = []
    var index = 0
    try list.forEachRun { run in
      try run.forEach(type: list.type) { _, element in
        if let target = try CollectionPayload.value(element, type: list.type), isGone(target) {
          indexes.append(index)
        }
        index += 1
      }
      return true
    }
    return indexes
  }

  /// Returns the keys of deleted objects in a map.
  private func names(of isGone: (UnsafeRawBufferPointer) -> Bool, in map: LargeTable) throws -> [[UInt8]] {
    knownCollections.noteSearch()
    var names: [[UInt8]] = []
    try map.forEachValue { key, value in if let key, isGone(value) { names.append([UInt8](key)) } }
    return names
  }

  // MARK: Whole payloads

  /// Changes a large collection to the elements of a complete payload.
  func rewrite(_ collection: LargeCollection, with new: ElementRun, _ owner: Owner) throws {
    let old = try collection.payload().withUnsafeBytes { try ElementRun(payload: $0) }
    if old.bytes == new.bytes { return }
    if let list = collection as? LargeList { return try rewrite(list, from: old, to: new, owner) }
    guard let table = collection as? LargeTable else { return }
    if owner.type.container == .set {
      try LinkTargets.compare(
        try LinkTargets(elementsOf: old, type: owner.type),
        try LinkTargets(elementsOf: new, type: owner.type)
      ) { element, before, now in
        if (before > 0) != (now > 0) { _ = try change(table, element, isAdded: now > 0, owner) }
      }
    } else {
      try rewriteMap(table, from: old, to: new, owner)
    }
  }

  private func rewriteMap(_ map: LargeTable, from old: ElementRun, to new: ElementRun, _ owner: Owner) throws
  {
    var names: Set<[UInt8]> = []
    try new.forEach(type: owner.type) { key, element in
      guard let key else { return }
      names.insert([UInt8](key))
      let isSame = try map.withElement(of: key) { $0?.elementsEqual(element) ?? false }
      if !isSame { try set(element, of: key, in: map, owner) }
    }
    try old.forEach(type: owner.type) { key, _ in
      if let key, !names.contains([UInt8](key)) { try set(nil, of: key, in: map, owner) }
    }
  }

  private func rewrite(_ list: LargeList, from old: ElementRun, to new: ElementRun, _ owner: Owner) throws {
    if old.count == new.count {
      let step = 64
      let (before, after) = (try old.offsets(each: step, owner.type), try new.offsets(each: step, owner.type))
      for index in 0..<(before.count - 1) {
        let range = (index * step)..<min((index + 1) * step, old.count)
        let (was, now) = (
          old.bytes[before[index]..<before[index + 1]], new.bytes[after[index]..<after[index + 1]]
        )
        if was.elementsEqual(now) { continue }
        try replace(range, of: list, with: ElementRun(Array(now), count: range.count), owner)
      }
      return
    }
    let (before, after) = (try old.offsets(each: 1, owner.type), try new.offsets(each: 1, owner.type))
    func isSame(_ one: Int, _ other: Int) -> Bool {
      let (first, second) = (before[one]..<before[one + 1], after[other]..<after[other + 1])
      return first.count == second.count && old.bytes[first].elementsEqual(new.bytes[second])
    }
    let shorter = min(old.count, new.count)
    var front = 0
    while front < shorter, isSame(front, front) { front += 1 }
    var back = 0
    while back < shorter - front, isSame(old.count - 1 - back, new.count - 1 - back) { back += 1 }
    let bytes = Array(new.bytes[after[front]..<after[new.count - back]])
    let run = ElementRun(bytes, count: new.count - back - front)
    try replace(front..<(old.count - back), of: list, with: run, owner)
  }
}

extension [Int] {
  /// The ranges of consecutive numbers. The numbers must be in ascending order.
  fileprivate var ranges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    for number in self {
      if let last = ranges.last, last.upperBound == number {
        ranges[ranges.count - 1] = last.lowerBound..<(number + 1)
      } else {
        ranges.append(number..<(number + 1))
      }
    }
    return ranges
  }
}

extension ElementRun {
  /// Returns the offset of every element whose index is a multiple of `step`, and the offset of the end.
  fileprivate func offsets(each step: Int, _ type: ColumnType) throws -> [Int] {
    var offsets: [Int] = []
    offsets.reserveCapacity(count / step + 2)
    try bytes.withUnsafeBytes { buffer in
      var reader = ValueReader(buffer, context: nil)
      for index in 0..<count {
        if index % step == 0 { offsets.append(buffer.count - reader.rest.count) }
        _ = try CollectionPayload.readElement(of: type, from: &reader)
      }
    }
    offsets.append(bytes.count)
    return offsets
  }
}

extension LargeCollection {
  /// Fills a new collection, and returns its number of elements.
  func fill(with run: ElementRun) throws -> Int {
    if let list = self as? LargeList {
      try list.create()
      return try list.replace(0..<0, with: run)
    }
    guard let table = self as? LargeTable else { return 0 }
    var count = 0
    try run.forEach(type: type) { key, element in
      if let key {
        if try table.set(element, of: key) == nil { count += 1 }
      } else if try table.insert(element) {
        count += 1
      }
    }
    try table.setCount(count)
    return count
  }

  /// Whether so few elements are left that they might fit in the record.
  func mayBeSmall(count: Int) throws -> Bool {
    if let list = self as? LargeList { return try list.existingNode(0).level == 0 }
    return count <= 64
  }
}
