import LMDB

/// The derived properties of a table's own objects, and the derived properties of other objects that depend
/// on the table's objects.
package final class TableDerivations: Sendable {
  /// The index of the table in the store.
  let number: Int
  /// The derived properties of the table.
  package let columns: [DerivedColumn]
  /// The number of derived properties that are computed from other objects.
  let slotCount: Int
  /// The groups of the table's derived properties that are computed from other objects, one group for each
  /// link.
  package let owned: [DerivedGroup]
  /// The groups of other tables' derived properties that are computed from objects of this table.
  let watched: [DerivedGroup]

  init(number: Int, columns: [DerivedColumn], owned: [DerivedGroup], watched: [DerivedGroup]) {
    self.number = number
    self.columns = columns
    slotCount = owned.reduce(0) { $0 + $1.columns.count }
    self.owned = owned
    self.watched = watched
  }
}

/// The derived properties of one table that are computed from the objects at the other end of the same link.
package final class DerivedGroup: Sendable {
  /// The index of the group in the store.
  let number: Int
  // SAFETY: a table owns the group, and users of a group keep the tables of the store alive.
  /// The table that has the derived properties.
  unowned let owner: Table
  /// The table of the members: the objects from which the properties are computed.
  unowned let member: Table
  /// The link column: from the members to the owner if `isInverse` is `true`, otherwise from the owner to the
  /// members.
  let link: Table.LinkColumn
  let linkID: UInt16
  let isInverse: Bool
  /// Whether an owner has at most one such link.
  let isToOne: Bool
  package let columns: [DerivedColumn]
  /// Whether the group computes anything other than counts.
  let hasValues: Bool

  init(
    number: Int,
    owner: Table,
    member: Table,
    link: Table.LinkColumn,
    isInverse: Bool,
    columns: [DerivedColumn]
  ) {
    self.number = number
    self.owner = owner
    self.member = member
    self.link = link
    linkID = link.column.id
    isToOne = link.column.type.container == .none
    self.isInverse = isInverse
    self.columns = columns
    hasValues = columns.contains { $0.value != nil }
  }
}
