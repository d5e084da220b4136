import Fief
import FiefTesting
import Foundation
import Testing

/// Collections with texts that Swift holds equal: small ones, which are in the record, and large ones.
@Suite("Collections of texts that Swift holds equal") struct ExactCollectionTests {
  private static let both = Accent.allCases.map(\.text)
  /// Enough elements for a tree of their own.
  private static let more = (0..<900).map { "word \($0)" }

  /// Calls a closure with the object outside of a scope, in a read and in a write.
  private func inEachScope(_ store: AccentStore, _ body: (AccentFile) throws -> Void) throws {
    try body(try store.file())
    try store.read { try body(try #require(try $0.object(ofType: AccentFile.self, forPrimaryKey: 0))) }
    try store.write { try body(try #require(try $0.object(ofType: AccentFile.self, forPrimaryKey: 0))) }
  }

  /// Changes the object in a write.
  private func change(_ store: AccentStore, _ body: (AccentFile) throws -> Void) throws {
    try store.write { try body(try #require(try $0.object(ofType: AccentFile.self, forPrimaryKey: 0))) }
  }

  @Test(arguments: StoreKind.allCases, [false, true]) func sets(_ kind: StoreKind, _ isLarge: Bool) throws {
    let store = try AccentStore.ofAccents(kind)
    let rest = isLarge ? Self.more : []
    try change(store) { file in
      file.words.removeAll()
      file.words.insert(objectsIn: rest)
      #expect(!file.words.contains(Self.both[0]))
      file.words.insert(Self.both[0])
      #expect(file.words.contains(Self.both[0]) && !file.words.contains(Self.both[1]))
      file.words.insert(Self.both[1])
      #expect(file.words.count == rest.count + 2)
      if isLarge { return }
      file.codes.insert(objectsIn: Self.both.map { AccentCode(persistedValue: $0) })
      file.values.insert(objectsIn: Self.both.map { .string($0) })
      file.values.insert(objectsIn: Self.both.map { .dictionary([$0: .list([.string($0)])]) })
      file.values.insert(objectsIn: Self.both.map { .dictionary([$0: .object(file)]) })
      #expect(file.codes.count == 2 && file.values.count == 6)
    }
    try inEachScope(store) { file in
      #expect(file.words.count == rest.count + 2)
      #expect(Set(bytes(file.words)) == Set(bytes(Self.both + rest)))
      for text in Self.both { #expect(file.words.contains(text)) }
      let unmanaged = MutableSet(Self.both + rest)
      #expect(unmanaged == file.words && unmanaged.subtracting(file.words).isEmpty)
      #expect(bytes(unmanaged.subtracting(MutableSet([Self.both[0]] + rest))) == bytes([Self.both[1]]))
      if isLarge { return }
      #expect(file.codes.count == 2 && file.values.count == 6)
      for text in Self.both { #expect(file.values.contains(.string(text))) }
      for text in Self.both { #expect(file.values.contains(.dictionary([text: .list([.string(text)])]))) }
      #expect(MutableSet([Self.both[0]]) != MutableSet([Self.both[1]]))
    }
    try change(store) { $0.words.remove(Self.both[0]) }
    try inEachScope(store) { file in
      #expect(!file.words.contains(Self.both[0]) && file.words.contains(Self.both[1]))
      #expect(file.words.count == rest.count + 1)
    }
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases, [false, true]) func maps(_ kind: StoreKind, _ isLarge: Bool) throws {
    let store = try AccentStore.ofAccents(kind)
    let rest = isLarge ? Self.more : []
    try change(store) { file in
      file.sizes.removeAll()
      for key in rest { file.sizes[key] = 0 }
      for accent in Accent.allCases { file.sizes[accent.text] = accent.id }
      for key in rest { file.friends[key] = .some(nil) }
      for accent in Accent.allCases { file.friends[accent.text] = file }
      #expect(file.sizes.count == rest.count + 2 && file.friends.count == rest.count + 2)
    }
    try inEachScope(store) { file in
      #expect(file.sizes.count == rest.count + 2 && file.friends.count == rest.count + 2)
      for accent in Accent.allCases {
        #expect(file.sizes[accent.text] == accent.id && file.friends[accent.text]??.id == 0)
      }
      let keys = (Self.both + rest).map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
      for found in [file.sizes.keys, file.friends.keys, file.sizes.map(\.key), file.friends.map(\.key)] {
        #expect(bytes(found) == keys)
      }
      #expect(file.sizes.filter { $0.key.hasPrefix("caf") }.map(\.value) == [1, 0])
      #expect(file.sizes.values.count == rest.count + 2)
      let unmanaged = Map<String, Int>()
      for (key, value) in file.sizes { unmanaged[key] = value }
      #expect(unmanaged.count == rest.count + 2 && unmanaged == file.sizes)
      unmanaged[Self.both[0]] = nil
      #expect(unmanaged.count == rest.count + 1 && unmanaged[Self.both[1]] == 1 && unmanaged != file.sizes)
      // A dictionary of Swift's has one of them.
      #expect(file.sizes.dictionary.count == rest.count + 1)
    }
    try change(store) { file in
      file.sizes[Self.both[0]] = nil
      file.friends.removeObject(for: Self.both[0])
    }
    try inEachScope(store) { file in
      #expect(file.sizes[Self.both[0]] == nil && file.sizes[Self.both[1]] == 1)
      #expect(file.friends[Self.both[0]] == nil && file.friends[Self.both[1]]??.id == 0)
      #expect(file.sizes.count == rest.count + 1 && file.friends.count == rest.count + 1)
    }
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases, [false, true]) func lists(_ kind: StoreKind, _ isLarge: Bool) throws {
    let store = try AccentStore.ofAccents(kind)
    let rest = isLarge ? Self.more : []
    let unmanaged = List(rest + Self.both)
    try change(store) {
      $0.tags.removeAll(); $0.tags.append(objectsIn: rest + Self.both)
    }
    func expect(_ list: List<String>) {
      for (place, text) in Self.both.enumerated() {
        #expect(list.index(of: text) == rest.count + place && list.firstIndex(of: text) == rest.count + place)
        #expect(list.contains(text))
      }
      #expect(list.distinct().count == rest.count + 2)
      #expect(list == unmanaged && list != List(rest + [Self.both[1], Self.both[0]]))
      #expect(!List(rest + [Self.both[0]]).contains(Self.both[1]))
      #expect(bytes(list.sorted(ascending: true).prefix(2)) == bytes([Self.both[1], Self.both[0]]))
      #expect(list.sectioned(by: { $0.prefix(4) }).filter { $0.key.hasPrefix("caf") }.map(\.count) == [1, 1])
    }
    expect(unmanaged)
    try inEachScope(store) { expect($0.tags) }
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func embeddedObjectsArePairedByTheirBytes(_ kind: StoreKind) throws {
    let store = try AccentStore.ofAccents(kind)
    try store.write { transaction in
      let file = try #require(try transaction.object(ofType: AccentFile.self, forPrimaryKey: 0))
      file.parts.append(objectsIn: Self.both.map { AccentPart(value: ["text": $0]) })
    }
    #expect(bytes(try store.file().parts.map(\.text)) == bytes(Self.both))
    let file = try store.file()
    file.parts.swapAt(0, 1)
    try store.saveAndWait(entity: file)
    #expect(bytes(try store.file().parts.map(\.text)) == bytes(Self.both.reversed()))
    store.closeChecked()
  }

  @Test func valuesOfAnyType() {
    let (first, second) = (Self.both[0], Self.both[1])
    #expect(AnyRealmValue.string(first) != .string(second))
    #expect(AnyRealmValue.list([.string(first)]) != .list([.string(second)]))
    #expect(AnyRealmValue.dictionary([first: 1]) != .dictionary([second: 1]))
    #expect(AnyRealmValue.dictionary([first: 1, "a": 2]) == .dictionary(["a": 2, first: 1]))
    #expect(AnyRealmValue.dictionary([first: 1]) != .dictionary([first: 2]))
    #expect(AnyRealmValue.dictionary([first: 1]) != .dictionary([:]))
    #expect(Set([first, second].map { AnyRealmValue.string($0) }).count == 2)
  }

  @Test(arguments: StoreKind.allCases) func documents(_ kind: StoreKind) throws {
    let store = try AccentStore.ofAccents(kind)
    let entries = Self.both.enumerated().map { "\"\($1)\": \($0)" }.joined(separator: ", ")
    try store.saveAndWait(
      saveClass: AccentFile.self,
      jsonData: Data(
        "{\"id\": 7, \"sizes\": {\(entries)}, \"words\": [\"\(Self.both[0])\", \"\(Self.both[1])\"]}".utf8
      )
    )
    #expect(try store.file(7).sizes.map(\.value) == [1, 0] && store.file(7).words.count == 2)
    #expect(try store.file(7).sizes.description == "[\"\(Self.both[1])\": 1, \"\(Self.both[0])\": 0]")
    // What Swift's types cannot have both is refused.
    for document in [
      "{\"id\": 1, \"sizes\": {\(entries)}}",
      "{\"id\": 1, \"words\": [\"\(Self.both[0])\", \"\(Self.both[1])\"]}",
    ] {
      let error = #expect(throws: FiefError.self) {
        try store.saveAndWait(saveClass: AccentSwift.self, jsonData: Data(document.utf8))
      }
      #expect(error?.code == .invalidValue)
    }
    let error = #expect(throws: FiefError.self) {
      try store.saveAndWait(
        saveClass: AccentFile.self,
        jsonData: Data("{\"id\": 7, \"content\": {\(entries)}}".utf8)
      )
    }
    #expect(error?.code == .invalidValue)
    #expect(throws: FiefError.self) { try JSONEncoder().encode(try store.file(7).sizes) }
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func rawValuesOfEnumerations(_ kind: StoreKind) throws {
    let store = try AccentStore.ofAccents(kind)
    let json = { (text: String) in Data("{\"id\": 1, \"name\": \"\(text)\"}".utf8) }
    try store.saveAndWait(saveClass: AccentKind.self, jsonData: json(Self.both[0]))
    #expect(store.store().objects(AccentKind.self).where { $0.name == .cafe }.count == 1)
    let error = #expect(throws: FiefError.self) {
      try store.saveAndWait(saveClass: AccentKind.self, jsonData: json(Self.both[1]))
    }
    #expect(error?.code == .invalidValue)
    store.closeChecked()
  }
}
