import LMDB

/// The elements of a collection between the positions of cursors.
struct MemberBounds {
  let start: QueryBound?
  let end: QueryBound?

  static let none = MemberBounds(start: nil, end: nil)

  var isEmpty: Bool { start == nil && end == nil }

  /// The bounds in one transaction: a range of positions, or a range of keys for a set.
  struct Range {
    var places = 0..<Int.max
    var keys: ByteRange?

    func contains(_ key: UnsafeRawBufferPointer) -> Bool {
      guard let keys else { return true }
      if key.count < LargeCollection.longestElement { return !keys.isBefore(key) && !keys.isBehind(key) }
      return MemberBounds.inOrder([UInt8](key)).withUnsafeBytes { !keys.isBefore($0) && !keys.isBehind($0) }
    }

    /// Returns the entries of a run that are between the bounds, and whether all later entries are outside.
    func entries(of run: MemberRun, isBackward: Bool) -> (wanted: [MemberRun.Entry], isAtEnd: Bool) {
      guard let first = run.entries.first?.place, let last = run.entries.last?.place else {
        return ([], false)
      }
      if places.contains(first), places.contains(last) { return (run.entries, false) }
      let isAtEnd = isBackward ? last < places.lowerBound : last >= places.upperBound
      return (run.entries.filter { places.contains($0.place) }, isAtEnd)
    }
  }

  func range(of source: MemberSource, in environment: QueryEnvironment) throws -> Range {
    var range = Range()
    if isEmpty { return range }
    guard source.hasPlaces else {
      let lower = start.flatMap { bound in
        bound.key.map { Self.inOrder($0.bytes) + (bound.isInclusive ? [] : [0]) }
      }
      let upper = end.flatMap { bound in
        bound.key.map { Self.inOrder($0.bytes) + (bound.isInclusive ? [0] : []) }
      }
      range.keys = ByteRange(lower: lower ?? [], upper: upper)
      return range
    }
    let lower = try start.map { try place(of: $0, isEnd: false, source, environment) } ?? 0
    let upper = try end.map { try place(of: $0, isEnd: true, source, environment) } ?? .max
    range.places = lower..<max(lower, upper)
    return range
  }

  /// Returns an object's key as it determines the order in a large set.
  static func inOrder(_ key: [UInt8]) -> [UInt8] {
    key.withUnsafeBytes { LargeCollection.shortened($0) } ?? key
  }

  /// Returns the first position inside the bound, or the first position after it.
  private func place(
    of bound: QueryBound,
    isEnd: Bool,
    _ source: MemberSource,
    _ environment: QueryEnvironment
  ) throws -> Int {
    guard let key = bound.key else { return 0 }
    let (place, object) = MemberPlace.parts(key.bytes)
    // If the element was removed, the next element has moved to its position.
    guard let now = try source.place(of: object, near: place, in: environment) else { return place }
    return bound.isInclusive == isEnd ? now + 1 : now
  }
}

extension MemberSource {
  /// Returns a bound of sorted rows with the current position of its object.
  func now(_ bound: QueryBound?, isEnd: Bool, in environment: QueryEnvironment?) throws -> QueryBound? {
    guard hasPlaces, var bound, let key = bound.key, let environment else { return bound }
    let (place, object) = MemberPlace.parts(key.bytes)
    if let now = try self.place(of: object, near: place, in: environment) {
      bound.key = ObjectKey(bytes: MemberPlace.key(now, object))
    } else {
      // If the element was removed, the next element has moved to its position.
      bound.key = ObjectKey(bytes: MemberPlace.key(place, []))
      bound.isInclusive = !isEnd
    }
    return bound
  }
}
