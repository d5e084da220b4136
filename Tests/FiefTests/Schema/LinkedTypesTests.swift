import Fief
import Foundation
import Testing

class LinkedBase {}
class LinkedDog: LinkedBase {}
final class LinkedPuppy: LinkedDog {}
class LinkedBox<Content>: LinkedBase { var content: Content? }
final class LinkedIntBox: LinkedBox<Int> {}
class LinkedStranger {}
private final class LinkedPrivate: LinkedDog {}

enum LinkedOuter {
  final class Nested: LinkedBase {
    final class Deeper: LinkedBase {}
  }
  fileprivate final class Hidden: LinkedBase {}
  struct Generic<T> { final class Inside: LinkedBase {} }
  static var hidden: AnyClass { Hidden.self }
}

@Suite("Linked types")
struct LinkedTypesTests {
  @Test("are all subclasses, direct or not, nested, private or below a generic class, by name")
  func subclasses() {
    final class Local: LinkedBase {}
    let found = LinkedTypes.subclasses(of: LinkedBase.self)
    let expected: [AnyClass] = [
      LinkedDog.self, LinkedIntBox.self, LinkedOuter.hidden, LinkedOuter.Nested.self,
      LinkedOuter.Nested.Deeper.self, LinkedPrivate.self, LinkedPuppy.self, Local.self,
    ]
    #expect(Set(found.map(ObjectIdentifier.init)) == Set(expected.map(ObjectIdentifier.init)), "\(found)")
    #expect(found.count == expected.count, "each once: \(found)")
    let shown = found.filter { !String(reflecting: $0).contains("unknown context") }
      .map { String(reflecting: $0) }
    #expect(shown == shown.sorted())
  }

  @Test("are those below the class that is asked for")
  func lower() {
    #expect(
      LinkedTypes.subclasses(of: LinkedDog.self).map(ObjectIdentifier.init)
        == [LinkedPrivate.self, LinkedPuppy.self].map { ObjectIdentifier($0) }
    )
    #expect(LinkedTypes.subclasses(of: LinkedStranger.self).isEmpty)
    #expect(LinkedTypes.subclasses(of: LinkedPuppy.self).isEmpty)
  }

  @Test("below a specialised generic class are those of that specialisation")
  func specialised() {
    #expect(
      LinkedTypes.subclasses(of: LinkedBox<Int>.self).map(ObjectIdentifier.init)
        == [ObjectIdentifier(LinkedIntBox.self)]
    )
    #expect(LinkedTypes.subclasses(of: LinkedBox<String>.self).isEmpty)
  }

  @Test("of the system's classes can be asked for, too")
  func system() {
    let formatters = LinkedTypes.subclasses(of: Formatter.self).map(ObjectIdentifier.init)
    #expect(formatters.contains(ObjectIdentifier(DateFormatter.self)))
    #expect(formatters.contains(ObjectIdentifier(NumberFormatter.self)))
    let objects = LinkedTypes.subclasses(of: NSObject.self)
    #expect(objects.count > 50)
    #expect(objects.allSatisfy { $0 is NSObject.Type })
  }

  @Test("are the same on every call, from any thread")
  func repeated() async {
    let first = LinkedTypes.subclasses(of: LinkedBase.self).map(ObjectIdentifier.init)
    await withTaskGroup(of: [ObjectIdentifier].self) { group in
      for _ in 0..<50 {
        group.addTask { LinkedTypes.subclasses(of: LinkedBase.self).map(ObjectIdentifier.init) }
      }
      for await other in group { #expect(other == first) }
    }
  }

  #if os(Linux)
    @Test("of a library that is loaded later are found from then on")
    func loadedLater() throws {
      func names() -> [String] { LinkedTypes.subclasses(of: NSObject.self).map { String(reflecting: $0) } }
      // The test needs a library that is not loaded yet; this one has classes and no other user here.
      try #require(!names().contains("FoundationXML.XMLDocument"))
      try #require(dlopen("libFoundationXML.so", RTLD_NOW) != nil)
      #expect(names().contains("FoundationXML.XMLDocument"))
    }
  #endif
}
