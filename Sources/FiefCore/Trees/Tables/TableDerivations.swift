import LMDB

/// The part of a table in derived properties: the properties of its own objects, and those of others that are
/// computed from its objects.
package final class TableDerivations: Sendable {
  /// The number among the tables of the store.
  let number: Int
  /// The derived properties.
  package let columns: [DerivedColumn]
  /// The number of them that are computed from other objects.
  let slotCount: Int
  /// The derived properties of the table's objects that are computed from others, by the links to these.
  package let owned: [DerivedGroup]
  /// The derived properties of other objects that are computed from the table's.
  let watched: [DerivedGroup]

  init(number: Int, columns: [DerivedColumn], owned: [DerivedGroup], watched: [DerivedGroup]) {
    self.number = number
    self.columns = columns
    slotCount = owned.reduce(0) { $0 + $1.columns.count }
    self.owned = owned
    self.watched = watched
  }
}

/// Derived properties of one table that are computed from the objects at the other end of the same links.
package final class DerivedGroup: Sendable {
  /// The number among the groups of the store.
  let number: Int
  // SAFETY: a group comes from a table, and its user holds the tables of the store meanwhile.
  /// The table with the derived properties.
  unowned let owner: Table
  /// The table of the objects that these are computed from.
  unowned let member: Table
  /// The links: from the members to the owner in an inverse, else from the owner to the members.
  let link: Table.LinkColumn
  let linkID: UInt16
  let isInverse: Bool
  /// Whether an object has one such link at most.
  let isToOne: Bool
  package let columns: [DerivedColumn]
  /// Whether anything but a count is made.
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
