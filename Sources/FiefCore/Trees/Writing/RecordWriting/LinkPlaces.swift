import LMDB

/// The positions of the links in a large list or map. Successive deletions look up links here, so they walk
/// through the collection only once.
///
/// A hash table with chaining. It contains only parts of the targets' hashes, so callers compare the target
/// at each position.
final class LinkPlaces {
  /// The maximum number of elements whose positions a write records, over all collections. They take 80 MB
  /// for lists; for maps, the keys take additional memory.
  static let mostElements = 1 << 22

  /// The number of elements when the positions were read.
  let count: Int
  private let seed = UInt64.random(in: 0...UInt64.max)
  private var heads: [Int32]
  private var next: [Int32] = []
  private var hashes: [UInt32] = []
  /// The keys of a map's entries.
  private var names: [[UInt8]] = []
  /// The number of removed elements of a list, as a binary indexed tree.
  private var removed: [Int32]

  /// Reads the positions of all links.
  ///
  /// - Returns: `nil` if the collection has too many elements.
  init?(of collection: LargeCollection) throws {
    count = try collection.existingCount()
    guard count <= Self.mostElements else { return nil }
    var size = 1
    while size < count { size *= 2 }
    heads = [Int32](repeating: -1, count: size)
    removed = collection.type.container == .list ? [Int32](repeating: 0, count: count + 1) : []
    next.reserveCapacity(count)
    hashes.reserveCapacity(count)
    let type = collection.type
    try collection.forEachRun { run in
      try run.forEach(type: type) { name, element in
        let target = try CollectionPayload.value(element, type: type)
        append(target)
        if let name { names.append([UInt8](name)) }
      }
      return true
    }
    if next.count == count { return }
    // If the count of a map is wrong, the caller finds the links by walking through the map.
    guard type.container == .list else { return nil }
    throw RecordView.damaged
  }

  private func append(_ target: UnsafeRawBufferPointer?) {
    guard let target else {
      next.append(-1)
      return hashes.append(0)
    }
    let hash = hash(of: target)
    let head = Int(hash) & (heads.count - 1)
    next.append(heads[head])
    hashes.append(hash)
    heads[head] = Int32(truncatingIfNeeded: hashes.count - 1)
  }

  private func hash(of target: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: StableHash.hash(target, seed: seed))
  }

  /// Removes the positions of a target from its chain and returns them.
  private func take(_ target: [UInt8], where isTarget: (Int) throws -> Bool) rethrows -> [Int] {
    let hash = target.withUnsafeBytes { self.hash(of: $0) }
    let head = Int(hash) & (heads.count - 1)
    var found: [Int] = []
    var last: Int?
    var place = Int(heads[head])
    while place >= 0 {
      let following = next[place]
      if hashes[place] == hash, try isTarget(place) {
        found.append(place)
        if let last { next[last] = following } else { heads[head] = following }
      } else {
        last = place
      }
      place = Int(following)
    }
    return found
  }

  /// Removes the positions of some targets in a list and returns their current indexes, in order.
  func takeIndexes(of targets: [[UInt8]], in list: LargeList) throws -> [Int] {
    var taken: [(place: Int, index: Int)] = []
    for target in targets {
      let places = try take(target) { place in
        try list.elements(index(of: place)..<(index(of: place) + 1)).isLink(to: target, list.type)
      }
      taken += places.map { ($0, index(of: $0)) }
    }
    for (place, _) in taken { noteRemoval(at: place) }
    return taken.map(\.index).sorted()
  }

  /// Removes the positions of some targets in a map and returns the current keys that lead to them.
  func takeNames(of targets: [[UInt8]], in map: LargeTable) throws -> [[UInt8]] {
    try targets.flatMap { target in
      try take(target) { place in
        try names[place].withUnsafeBytes { name in
          try map.withElement(of: name) { element in
            let value = try element.flatMap { try CollectionPayload.value($0, type: map.type) }
            return value?.elementsEqual(target) ?? false
          }
        }
      }
      .map { names[$0] }
    }
  }

  // MARK: Removed elements of a list

  private func index(of place: Int) -> Int {
    var index = place
    var node = place
    while node > 0 {
      index -= Int(removed[node])
      node &= node - 1
    }
    return index
  }

  private func noteRemoval(at place: Int) {
    var node = place + 1
    while node < removed.count {
      removed[node] += 1
      node += node & -node
    }
  }
}

extension ElementRun {
  /// Whether a run of one element is a link to a target.
  fileprivate func isLink(to target: [UInt8], _ type: ColumnType) throws -> Bool {
    var isLink = false
    try forEach(type: type) { _, element in
      isLink = try CollectionPayload.value(element, type: type)?.elementsEqual(target) ?? false
    }
    return isLink
  }
}
