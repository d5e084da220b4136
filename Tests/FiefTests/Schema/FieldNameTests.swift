import Fief
import Foundation
import Testing

@testable import FiefCore

private struct Box<Content> {
  final class Inside: Object {
    @Persisted var id = 0
    var content: Content?
  }
}
private typealias Count = Int
private typealias Names = List<String>
private final class Größe: Object {
  @Persisted var länge: Count
  @Persisted var namen: Names
  @Persisted var selbst: Größe?
  @Persisted var kreis: List<Größe>
}
extension Größe {
  final class Teil: Object {
    @Persisted var owner: Größe?
    @Persisted var inside: Box<Int>.Inside?
    @Persisted var optionalInside: List<Box<Int>.Inside>
    weak var weakOwner: Größe?
    unowned var unownedOwner: Größe?
    var closure: (() -> Void)?
    var tuple = (1, "")
    var existential: any Error = CancellationError()
    var metatype: Object.Type = Object.self
    @Persisted var map: Map<String, Größe?>
    @Persisted var maybe: List<Double?>
    @Persisted var any: List<AnyRealmValue>
    @Persisted var ids: MutableSet<UUID>
  }
}
private class Open: Object { @Persisted var a = 0 }
private class Middle<T>: Open { @Persisted var b = 0; var t: T? }
private final class Leaf: Middle<String> { @Persisted var c = 0 }
private class EmptyMiddle: Open {}
private final class EmptyLeaf: EmptyMiddle { @Persisted var d = "" }

@Suite struct FieldNameTests {
  private func expectSame(_ type: ObjectBase.Type) {
    _ = StoreRegistry.shared
    let found = PersistedFields.of(type)
    let expected = PersistedFields.reflected(in: type)
    #expect(found.map(\.name) == expected.map(\.name), "\(type)")
    #expect(found.map(\.offset) == expected.map(\.offset), "\(type)")
    #expect(found.map { ObjectIdentifier($0.type) } == expected.map { ObjectIdentifier($0.type) }, "\(type)")
    #expect(type.className() == String(describing: type))
  }

  @Test func fields() {
    final class Local: Object {
      @Persisted var id = 0
      @Persisted var next: Local?
      @Persisted var all: List<Local>
    }
    enum Scope { final class Deep: Object { @Persisted var other: Local? } }
    for type in [
      Größe.self, Größe.Teil.self, Box<Int>.Inside.self, Leaf.self, EmptyLeaf.self, EmptyMiddle.self,
      Local.self, Scope.Deep.self,
    ] as [ObjectBase.Type] { expectSame(type) }
  }
}
