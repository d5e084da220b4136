import Fief
import Foundation
import Testing

@testable import FiefCore

/// A catalogue with a right checksum and wrong contents.
@Suite struct CatalogueTests {
  private func catalogue(_ change: (inout TypeEntry) -> Void) throws -> Catalogue {
    var catalogue = Catalogue(schemaVersion: 1)
    try catalogue.add(ObjectDescriptor.of(MisuseAnimal.self))
    change(&catalogue.types[0])
    return catalogue
  }

  private func decode(_ catalogue: Catalogue) throws -> Catalogue {
    try catalogue.encoded().withUnsafeBytes { try Catalogue.decode($0) }
  }

  @Test func whatContradictsItselfIsDamaged() throws {
    let whole = try catalogue { _ in }
    #expect(try decode(whole) == whole)
    let changes: [(inout TypeEntry) -> Void] = [
      { $0.layouts = [] },
      { $0.layouts.append([99]) },
      { $0.primaryKey = [99] },
      { $0.columns.append($0.columns[0]) },
      { $0.nextColumnID = 1 },
    ]
    for (index, change) in changes.enumerated() {
      let wrong = try catalogue(change)
      let error = #expect(throws: FiefError.self, "change \(index)") { try decode(wrong) }
      #expect(error?.code == .damagedStore, "change \(index)")
    }
  }

  @Test func numbersThatRunOutAreAnError() throws {
    var full = try catalogue { $0.nextColumnID = .max }
    let property = try #require(ObjectDescriptor.of(MisuseDog.self).property(named: "breed"))
    #expect(throws: FiefError.self) { try full.types[0].addColumn(for: property) }
    full.nextTypeID = .max
    #expect(throws: FiefError.self) { try full.add(ObjectDescriptor.of(MisuseTag.self)) }
    full.types[0].layouts = Array(repeating: [], count: 65_536)
    #expect(throws: FiefError.self) { try full.types[0].addLayout() }
  }
}
