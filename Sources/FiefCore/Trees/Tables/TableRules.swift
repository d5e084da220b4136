import LMDB

/// The relationship rules for the objects of one type.
///
/// Tables are referred to by their indexes in the store, because references would form retain cycles.
package struct TableRules: Sendable {
  /// A relationship with rules.
  package final class Relation: Sendable {
    let column: ColumnEntry
    let deleteRule: DeleteRule
    let minimum: Int
    let maximum: Int
    let isRequired: Bool
    /// The index of the table at the other end.
    let other: Int
    /// The index of the column among the links of the table that stores the relationship.
    let link: Int
    /// Whether this table stores the relationship. Otherwise the relationship is an inverse.
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

  /// An inverse with limits whose link is stored in this table.
  struct Watch: Sendable {
    let column: UInt16
    /// The index of the table that has the inverse.
    let table: Int
    /// The index of the inverse among that table's limits.
    let limit: Int
  }

  /// A column of links in another table.
  struct IncomingLink: Sendable {
    let table: Int
    let link: Int
  }

  /// The relationships whose delete rule is cascade or deny.
  var actions: [Relation] = []
  /// The relationships whose number of objects is limited.
  package var limits: [Relation] = []
  var watches: [Watch] = []
  /// The links to objects of the type that are cleared when the objects are deleted.
  var incoming: [IncomingLink] = []
  /// The links to objects of the type that stay when the objects are deleted.
  var dangling: [IncomingLink] = []
  /// Whether deleting an object of the type may be denied, directly or through a cascade.
  var canBeDenied = false
}

extension StoreTables {
  /// Computes the rules of each table, and sets the tables' properties that depend on them.
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

  /// Returns the index of the link whose inverse a column is.
  ///
  /// The catalogue contains the property's name, which may differ from the name of the link's column. In this
  /// case it is the only link between the two types; ``DeclaredSchema`` ensures this.
  private static func link(ofInverse column: ColumnEntry, of table: Table, in other: Table) -> Int? {
    let links = other.links.indices.filter { other.links[$0].column.type.target == table.name }
    return links.first { other.links[$0].column.name == column.originProperty }
      ?? (links.count == 1 ? links[0] : nil)
  }

  private static func resolveIncoming(_ all: [Table], _ result: inout [TableRules]) {
    for (number, table) in all.enumerated() {
      for (place, link) in table.links.enumerated() where !link.isLeftAlone || link.mayDangle {
        guard let target = all.firstIndex(where: { $0.name == link.column.type.target }) else { continue }
        let incoming = TableRules.IncomingLink(table: number, link: place)
        if link.mayDangle {
          result[target].dangling.append(incoming)
        } else {
          result[target].incoming.append(incoming)
        }
      }
    }
  }

  /// Marks the types from which cascade rules lead to a deny rule.
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
