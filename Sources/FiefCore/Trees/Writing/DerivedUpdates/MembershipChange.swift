/// A change of an object's members, from the first to the last difference.
///
/// A member in both payloads counts as removed and as added, which cancels out.
struct MembershipChange {
  private(set) var removed: ArraySlice<UnsafeRawBufferPointer>
  private(set) var added: ArraySlice<UnsafeRawBufferPointer>
  /// Whether most of the members were replaced.
  let isLarge: Bool

  /// - Parameters:
  ///   - before: The links' payload before the change. Its bytes must stay valid while the change is used.
  ///   - after: The links' payload after the change.
  ///   - isLarge: Whether most of the members were replaced; `nil` to compute it.
  init(
    _ before: UnsafeRawBufferPointer?,
    _ after: UnsafeRawBufferPointer?,
    type: ColumnType,
    isLarge: Bool? = nil
  ) throws {
    removed = try Self.links(before, type)[...]
    added = try Self.links(after, type)[...]
    let count = added.count
    while let first = removed.first, let other = added.first, first.elementsEqual(other) {
      removed.removeFirst()
      added.removeFirst()
    }
    while let last = removed.last, let other = added.last, last.elementsEqual(other) {
      removed.removeLast()
      added.removeLast()
    }
    self.isLarge = isLarge ?? (removed.count + added.count > max(16, count / 2))
  }

  private static func links(_ payload: UnsafeRawBufferPointer?, _ type: ColumnType) throws
    -> [UnsafeRawBufferPointer]
  {
    var links: [UnsafeRawBufferPointer] = []
    if let payload { try CollectionPayload.forEachLink(payload, type: type) { links.append($0) } }
    return links
  }
}
