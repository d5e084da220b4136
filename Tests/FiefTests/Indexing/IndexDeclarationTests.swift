import Fief
import Foundation
import Testing

@testable import FiefCore

private enum Wrong {
  final class Part: EmbeddedObject {
    @Persisted(index: .fullText) var text = ""
    override class func indexes() -> [IndexDefinition] { [IndexDefinition("text")] }
  }
  final class Thing: Object {
    @Persisted(index: .fullText) var number = 0
    @Persisted(index: .caseInsensitive) var size = 0.0
    @Persisted(index: [.unique, .fullText]) var odd = ""
    @Persisted(indexed: true) var twice = ""
    @Persisted var list: List<Int>
    @Persisted var part: Part?
    @Persisted var other: Thing?
    @Persisted var a = 0
    @Persisted var b = 0
    @Persisted var c = 0
    @Persisted var d = 0
    @Persisted var e = 0
    @Persisted var f = 0
    @Persisted var g = 0
    @Persisted var h = 0
    @Persisted var i = 0
    var transient = 0

    override class func indexes() -> [IndexDefinition] {
      [
        IndexDefinition("missing"), IndexDefinition("twice"), IndexDefinition("list"),
        IndexDefinition("a", "part"), IndexDefinition("other.a"),
        IndexDefinition("a", "b", "c", "d", "e", "f", "g", "h", "i"), IndexDefinition("a", "a"),
        IndexDefinition(),
        IndexDefinition("a", "b").caseInsensitive,
        .fullText("twice", "a"), .unique("b", "c"), .unique("b", "c"), IndexDefinition(\Thing.transient),
        IndexDefinition(\Thing.twice.count),
        IndexDefinition(\Thing.other?.a),
      ]
    }
  }
}

private enum Legacy {
  class Base: Object {
    @Persisted var first = ""
    @Persisted(indexed: true) var second = 0
    override class func propertiesMapping() -> [String: String] { ["first": "first_name"] }
    override class func indexedProperties() -> [String] { ["first", "second"] }
    override class func indexes() -> [IndexDefinition] { [IndexDefinition(\Base.first, \Base.second)] }
  }
  final class Derived: Base {
    @Persisted var third: Date?
    override class func indexes() -> [IndexDefinition] {
      super.indexes() + [.unique(\Derived.third, \Derived.first)]
    }
  }
}

@Suite struct IndexDeclarationTests {
  @Test func everyKindIsDeclared() throws {
    let names = ObjectDescriptor.of(IndexedMember.self).indexes.map(\.description)
    #expect(
      names == [
        "unique index (email)", "unique case-insensitive index (nick)", "index (age)",
        "case-insensitive index (name)",
        "index (about)", "full-text index (about)", "unique index (factor)", "full-text index (note)",
        "index (country, city, age)", "unique index (team, number)", "full-text index (title, body)",
        "case-insensitive index (city)", "case-insensitive index (country, name)",
      ]
    )
  }

  @Test func namesAreThoseOfPropertiesAndSubclassesAddTheirs() {
    #expect(
      ObjectDescriptor.of(Legacy.Derived.self).indexes.map(\.description) == [
        "index (second)", "index (first_name, second)", "unique index (third, first_name)",
        "index (first_name)",
      ]
    )
    #expect(ObjectDescriptor.of(Legacy.Derived.self).indexViolations == [])
  }

  @Test func whatCannotBeIndexedIsListed() throws {
    let error = #expect(throws: FiefError.self) {
      try DeclaredSchema(objects: [Wrong.Thing.self], embedded: [Wrong.Part.self], store: "s")
    }
    #expect(error?.code == .invalidSchema)
    #expect(
      error?.details == [
        "Thing.number: Int cannot have a full-text index, which needs text",
        "Thing.size: Double has no case that an index could ignore",
        "Thing.odd: indexes() must declare these indexes, not the property",
        "Thing: an index is declared for 'missing', which is not a property",
        "Thing: the index (twice) is declared more than once", "Thing.list: List<Int> cannot be indexed",
        "Thing.part: Part? cannot be indexed",
        "Thing: an index cannot use 'other.a', which leads through another object",
        "Thing: the index (a, b, c, d, e, f, g, h, i) has more than 8 properties",
        "Thing: the index (a, a) contains a more than once", "Thing: an index has no property",
        "Thing: the case-insensitive index (a, b) contains no text",
        "Thing.a: Int cannot have a full-text index, which needs text",
        "Thing: the unique index (b, c) is declared more than once",
        "Thing: indexes() has a key path that is not a persisted property of the class",
        "Thing: indexes() has a key path that is not a persisted property of the class",
        "Thing: indexes() has a key path that is not a persisted property of the class",
        "Part.text: a property of an embedded object cannot be indexed",
        "Part.text: a property of an embedded object cannot be indexed",
      ]
    )
  }

  @Test func aPropertyTakesNoMoreRoom() {
    #expect(MemoryLayout<Persisted<Int>>.size == 9 && MemoryLayout<Persisted<Bool>>.size == 2)
    let all: [IndexOptions] = [
      [], .plain, .unique, .caseInsensitive, [.unique, .caseInsensitive], .fullText, [.plain, .fullText],
    ]
    for index in all {
      for isKey in [true, false] {
        let flags = PersistedFlags.declared(primaryKey: isKey, index: index)
        #expect(PersistedFlags.index(flags) == index && (flags & PersistedFlags.primaryKey != 0) == isKey)
        #expect(flags & (PersistedFlags.readHooks | PersistedFlags.assigned | PersistedFlags.deferred) == 0)
      }
    }
    #expect(PersistedFlags.isUndeclarable(PersistedFlags.index(.init(0xC0))))
  }
}
