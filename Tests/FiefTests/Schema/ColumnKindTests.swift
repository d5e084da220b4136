import Testing

@testable import FiefCore

/// The facts about the kinds of values agree with each other and with the file format.
@Suite struct ColumnKindTests {
  @Test func namesTellTheKindsApart() {
    let kinds = ColumnType.Kind.allCases
    #expect(Set(kinds.map(\.facts.swiftName)).count == kinds.count)
    #expect(Set(kinds.map(\.facts.jsonName)).count == kinds.count)
    #expect(ColumnType.Kind.objectId.facts.jsonName == "objectId")
    #expect(ColumnType.Kind.uuid.facts.jsonName == "uuid")
  }

  /// A record has a slot for a value of a known width, and the bytes of all others after the slots.
  @Test(arguments: ColumnType.Kind.allCases) func formsFitTheWidths(kind: ColumnType.Kind) {
    #expect((kind.facts.form == .varying) == (kind.fixedWidth == nil))
    #expect(ColumnType(kind, container: .list).form == .varying)
  }

  /// An index has elements for every value that it may contain. A value of any type has elements of several
  /// kinds.
  @Test(arguments: ColumnType.Kind.allCases) func indexedKindsHaveKeyElements(kind: ColumnType.Kind) {
    #expect(kind.facts.isIndexable == (kind.domain != nil || kind == .any))
    #expect(!kind.facts.canBePrimaryKey || kind.facts.isIndexable)
    #expect(!ColumnType(kind, container: .list).isIndexable)
    #expect(!ColumnType(kind, container: .set).canBePrimaryKey)
  }

  @Test func identifiersAreGeneratedUnlessTheyAreOptional() {
    let generated = ColumnType.Kind.allCases.filter { ColumnType($0).isGenerated }
    #expect(generated == [.uuid, .objectId])
    #expect(!ColumnType(.uuid, isOptional: true).isGenerated)
  }
}
