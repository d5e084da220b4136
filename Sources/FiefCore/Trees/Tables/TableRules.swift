import LMDB

/// The rules of a store's relationships for the objects of one type.
///
/// Tables are known by their places among the store's, since they would hold each other otherwise.
package struct TableRules: Sendable {
  /// A relationship with rules.
  package final class Relation: Sendable {
    let column: ColumnEntry
    let deleteRule: DeleteRule
    let minimum: Int
    let maximum: Int
    let isRequired: Bool
    /// The place of the table at the other end.
    let other: Int
    /// The place of the column among the links of the table that stores the relationship: this one, or the other.
    let link: Int
    /// Whether this table stores it; it is an inverse otherwise.
    let isStored: Bool

    init(_ entry: RelationshipEntry, _ column: ColumnEntry, other: Int, link: Int, isStored: Bool) {
      self.column = column
      deleteRule = entry.deleteRule
      minimum = entry.minimum
      maximum = entry.maximum ?? Int.max
      isRequired = entry.isRequired
      self.other = other
      self.link = link
      self.isStored = isStored
    }

    var hasLimits: Bool { minimum > 0 || maximum < Int.max }
  }

  /// An inverse with limits that leads back along a link of this table.
  struct Watch: Sendable {
    let column: UInt16
    /// The place of the table that has the inverse.
    let table: Int
    /// The place of the inverse among that table's limits.
    let limit: Int
  }

  /// A column of links.
  struct Incoming: Sendable {
    let table: Int
    let link: Int
  }

  /// The relationships whose objects are deleted too, or keep an object from being deleted.
  var actions: [Relation] = []
  /// The relationships that need some objects, or may have some at most.
  package var limits: [Relation] = []
  var watches: [Watch] = []
  /// The links to objects of the type that are cleared when these are deleted.
  var incoming: [Incoming] = []
  /// The links to objects of the type that stay when these are deleted.
  var dangling: [Incoming] = []
  /// Whether a deletion that begins here may be denied.
  var canBeDenied = false
}

extension StoreTables {
  /// Computes the rules of each table, and notes them in the tables.
  static func resolveRules(of all: [Table]) -> [TableRules] {
    var result = [TableRules](repeating: TableRules(), count: all.count)
    for (number, table) in all.enumerated() {
      for entry in table.entry.relationships {
        guard let relation = relation(entry, of: table, at: number, in: all) else { continue }
        if entry.deleteRule == .cascade || entry.deleteRule == .deny {
          result[number].actions.append(relation)
        }
        if relation.hasLimits {
          if !relation.isStored {
            let watch = TableRules.Watch(
              column: all[relation.other].links[relation.link].column.id,
              table: number,
              limit: result[number].limits.count
            )
            result[relation.other].watches.append(watch)
          }
          result[number].limits.append(relation)
        }
        if !relation.isStored, entry.deleteRule != .nullify {
          all[relation.other].links[relation.link].isLeftAlone = true
          if entry.deleteRule == .noAction { all[relation.other].links[relation.link].mayDangle = true }
        }
      }
    }
    resolveIncoming(all, &result)
    resolveDenials(&result)
    for (number, table) in all.enumerated() {
      table.number = number
      table.hasDeleteRules = !result[number].actions.isEmpty
      table.hasLimits = !result[number].limits.isEmpty || !result[number].watches.isEmpty
    }
    return result
  }

  private static func relation(
    _ entry: RelationshipEntry,
    of table: Table,
    at number: Int,
    in all: [Table]
  ) -> TableRules.Relation? {
    guard let column = table.entry.column(entry.column),
      let other = all.firstIndex(where: { $0.name == column.type.target })
    else { return nil }
    if column.type.isLink {
      guard let link = table.links.firstIndex(where: { $0.column.id == column.id }) else { return nil }
      return TableRules.Relation(entry, column, other: other, link: link, isStored: true)
    }
    guard let link = link(ofInverse: column, of: table, in: all[other]) else { return nil }
    return TableRules.Relation(entry, column, other: other, link: link, isStored: false)
  }

  /// The place of the link that an inverse leads back along.
  ///
  /// The catalogue has the name of the property, and that of the column may be another one: it is the only link then,
  /// which ``DeclaredSchema`` has seen to.
  private static func link(ofInverse column: ColumnEntry, of table: Table, in other: Table) -> Int? {
    let links = other.links.indices.filter { other.links[$0].column.type.target == table.name }
    return links.first { other.links[$0].column.name == column.originProperty }
      ?? (links.count == 1 ? links[0] : nil)
  }

  private static func resolveIncoming(_ all: [Table], _ result: inout [TableRules]) {
    for (number, table) in all.enumerated() {
      for (place, link) in table.links.enumerated() where !link.isLeftAlone || link.mayDangle {
        guard let target = all.firstIndex(where: { $0.name == link.column.type.target }) else { continue }
        let incoming = TableRules.Incoming(table: number, link: place)
        if link.mayDangle {
          result[target].dangling.append(incoming)
        } else {
          result[target].incoming.append(incoming)
        }
      }
    }
  }

  /// A deletion may be denied where a rule is that is reached by rules that cascade.
  private static func resolveDenials(_ result: inout [TableRules]) {
    for number in result.indices {
      result[number].canBeDenied = result[number].actions.contains { $0.deleteRule == .deny }
    }
    var isChanged = true
    while isChanged {
      isChanged = false
      for number in result.indices where !result[number].canBeDenied {
        let reached = result[number].actions.contains {
          $0.deleteRule == .cascade && result[$0.other].canBeDenied
        }
        if reached {
          result[number].canBeDenied = true
          isChanged = true
        }
      }
    }
  }
}
