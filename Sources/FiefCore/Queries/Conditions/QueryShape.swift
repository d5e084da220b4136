import Foundation
import Synchronization

/// The parts of a query that all of its pages share. Cursors are bound to them.
///
/// Copies of a description share one instance, even if their bounds and limits differ. It is therefore cheap
/// to describe and plan a page and to check its cursors.
// SAFETY: `known` changes once, from nil to an instance that the shape owns afterwards; everything else is
// constant.
final class QueryShape: @unchecked Sendable {
  /// The shape of a query for all objects of a type in the order of their keys.
  static let all = QueryShape(members: nil, condition: nil, order: [], distinct: [])

  let members: QueryMembers?
  let condition: QueryCondition?
  let order: [QueryOrder]
  let distinct: [QueryPath]
  private let known = Atomic<UnsafeRawPointer?>(nil)

  private final class FingerprintCache: Sendable {
    let type: ObjectIdentifier
    let storeID: UUID
    let fingerprint: UInt64

    init(type: ObjectIdentifier, storeID: UUID, fingerprint: UInt64) {
      self.type = type
      self.storeID = storeID
      self.fingerprint = fingerprint
    }
  }

  init(members: QueryMembers?, condition: QueryCondition?, order: [QueryOrder], distinct: [QueryPath]) {
    self.members = members
    self.condition = condition
    self.order = order
    self.distinct = distinct
  }

  deinit {
    if let known = known.load(ordering: .acquiring) {
      Unmanaged<FingerprintCache>.fromOpaque(known).release()
    }
  }

  /// Returns the fingerprint that binds cursors to the query, and caches it for the next page.
  func fingerprint(of type: ObjectBase.Type, storeID: UUID) -> UInt64 {
    let id = ObjectIdentifier(type)
    if let pointer = known.load(ordering: .acquiring) {
      let known = Unmanaged<FingerprintCache>.fromOpaque(pointer).takeUnretainedValue()
      if known.type == id, known.storeID == storeID { return known.fingerprint }
    }
    let fingerprint = QueryFingerprint.of(self, type: type.className(), storeID: storeID)
    // All types share this instance, so types would replace each other's fingerprints. Computing its
    // fingerprint is fast.
    if self !== Self.all {
      keep(FingerprintCache(type: id, storeID: storeID, fingerprint: fingerprint))
    }
    return fingerprint
  }

  /// Caches the first fingerprint. Every other shape belongs to one type and one store, so its fingerprint
  /// does not change.
  private func keep(_ fingerprint: FingerprintCache) {
    let made = Unmanaged.passRetained(fingerprint)
    let (isFirst, _) = known.compareExchange(
      expected: nil,
      desired: UnsafeRawPointer(made.toOpaque()),
      ordering: .acquiringAndReleasing
    )
    if !isFirst { made.release() }
  }
}

extension QueryShape: Hashable {
  static func == (first: QueryShape, second: QueryShape) -> Bool {
    first === second
      || (first.order == second.order && first.distinct == second.distinct
        && first.members == second.members && first.condition == second.condition)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(members)
    hasher.combine(condition)
    hasher.combine(order)
    hasher.combine(distinct)
  }
}
