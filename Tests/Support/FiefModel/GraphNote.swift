import Fief
import Foundation
import LMDB

/// A note without a primary key, which needs a person.
final class GraphNote: Object, GraphObject {
  @Persisted(indexed: true) var mark = 0
  @Persisted var number = 0
  @Persisted var label: String?
  @Persisted var code: Int?

  @Persisted var about: GraphPerson?
  @Persisted var reader: GraphPerson?
  @Persisted var thread: GraphNote?
  @Persisted var cities: List<GraphCity>
  @Persisted var seen: List<GraphTeam>

  @Persisted(originProperty: "thread") var replies: LinkingObjects<GraphNote>
  @Persisted(originProperty: "badges") var badgeOf: LinkingObjects<GraphPerson>

  @Persisted var aboutNumber: Int?
  @Persisted var aboutStaff: Int?

  override class func relationships() -> [Relationship] {
    GraphVariation.current?.relationships(of: .note) ?? [
      Relationship("about", isRequired: true), Relationship("thread", deleteRule: .cascade),
      Relationship("badgeOf", deleteRule: .deny), Relationship("cities", maximum: 3),
    ]
  }

  override class func derivedProperties() -> [DerivedProperty] {
    GraphKind.note.derivations([
      DerivedProperty("aboutNumber", .min(of: "about.number")),
      DerivedProperty("aboutStaff", .max(of: "about.staffCount")),
    ])
  }

  override class func indexes() -> [IndexDefinition] { GraphKind.note.indexes.map(\.definition) }
}

/// A part of a person or of a city, with links that no inverse leads back to.
final class GraphPart: EmbeddedObject {
  @Persisted var text = ""
  @Persisted var number: Int?
  @Persisted var city: GraphCity?
  @Persisted var people: List<GraphPerson>
  @Persisted var detail: GraphDetail?
}

/// A part of a part.
final class GraphDetail: EmbeddedObject {
  @Persisted var text = ""
  @Persisted var team: GraphTeam?
}

/// The store of the graph.
package struct GraphRepository: DatabaseConfigurable, Sendable {
  package var realmMemoryType: RealmMemoryType
  package var directory: String?
  package var schemaName: String? { "graph" }
  package var schemaVersion: UInt64? { 1 }
  package var objectTypes: [Object.Type]? {
    [GraphPerson.self, GraphTeam.self, GraphCity.self, GraphNote.self]
  }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { [GraphPart.self, GraphDetail.self] }
  package var migrationBlock: MigrationBlock? { nil }
  package var storeOptions: StoreOptions {
    var options = StoreOptions()
    options.encryption = encryption
    let failures = failures
    // Places beyond the ends of lists, which random changes have, are misuse; what cannot be read is a failure.
    options.eventHandler = { event in
      if case .failedRead(_, let type, let property, let error) = event {
        failures.add("\(type ?? "").\(property ?? ""): \(error)")
      }
    }
    return options
  }

  /// The errors of reads where nothing can be thrown.
  let failures = GraphFailures()

  /// The key of an encrypted store.
  let encryption: StoreEncryption?

  var isOnDisk: Bool { realmMemoryType == .inStorage }

  /// - Parameter directory: a directory of the run's own, or the name of the store in memory.
  package init(isInMemory: Bool, directory: String, encryption: StoreEncryption? = nil) {
    realmMemoryType = isInMemory ? .inMemory(identifier: directory) : .inStorage
    self.directory = isInMemory ? nil : directory
    self.encryption = encryption
  }
}

/// The failures that the store has reported.
final class GraphFailures: Sendable {
  private let texts = OwnedLock<[String]>([])

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  func removeAll() { texts.withLock { $0 = [] } }

  var all: [String] { texts.withLock { $0 } }
}
