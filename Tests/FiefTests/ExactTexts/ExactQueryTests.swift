import Fief
import FiefTesting
import Foundation
import TestEffort
import Testing

/// A form of a query for the object with a text.
struct AccentForm: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let describe: @Sendable (Results<AccentFile>, String) -> Results<AccentFile>

  init(
    _ name: String,
    _ describe: @escaping @Sendable (Results<AccentFile>, String) -> Results<AccentFile>
  ) {
    testDescription = name
    self.describe = describe
  }

  static let all: [AccentForm] = [
    AccentForm("equal") { files, text in files.where { $0.path == text } },
    AccentForm("not equal") { files, text in files.where { !($0.path != text) } },
    AccentForm("indexed") { files, text in files.where { $0.name == text } },
    AccentForm("optional") { files, text in files.where { $0.label == text } },
    AccentForm("in") { files, text in files.where { $0.path.in([text, "tea"]) } },
    AccentForm("prefix") { files, text in files.where { $0.path.starts(with: text) } },
    AccentForm("suffix") { files, text in files.where { $0.path.ends(with: text) } },
    AccentForm("contains") { files, text in files.where { $0.path.contains(text) } },
    AccentForm("like") { files, text in files.where { $0.path.like(text + "*") } },
    AccentForm("case-insensitive") { files, text in
      files.where { $0.path.equals(text, options: .caseInsensitive) }
    },
    AccentForm("element of a list") { files, text in files.where { $0.tags.contains(text) } },
    AccentForm("element of a set") { files, text in files.where { $0.words == text } },
    AccentForm("key of a map") { files, text in files.where { $0.sizes.keys == text } },
    AccentForm("value of a key") { files, text in files.where { $0.sizes[text] == 1 } },
    AccentForm("value of a map") { files, text in files.where { $0.texts == text } },
    AccentForm("link") { files, text in files.where { $0.parent.path == text } },
    AccentForm("links") { files, text in files.where { $0.children.path == text } },
    AccentForm("subquery") { files, text in files.where { ($0.children.path == text).count > 0 } },
    AccentForm("embedded") { files, text in
      files.where { $0.part == AccentPart(value: ["text": text]) }
    },
    AccentForm("any value") { files, text in files.where { $0.thing == .string(text) } },
    AccentForm("part of a value") { files, text in files.where { $0.content["title"] == .string(text) } },
    AccentForm("key of a value") { files, text in files.where { $0.content["parts"][text] == 1 } },
    AccentForm("predicate") { files, text in files.filter(#Predicate { $0.path == text }) },
    AccentForm("argument") { files, text in files.filter("path == %@", text) },
    AccentForm("literal") { files, text in files.filter("path == '\(text)'") },
    AccentForm("literal key") { files, text in files.filter("sizes['\(text)'] == 1") },
    AccentForm("sorted") { files, text in files.where { $0.path == text }.sorted(by: \.name) },
    AccentForm("filtered twice") { files, text in
      files.where { $0.path == text }.where { $0.name == text }
    },
  ]
}

/// Queries that differ in the normalization of a text only, one after the other without a commit in between.
@Suite("Queries of texts that Swift holds equal") struct ExactQueryTests {
  /// The short form has each form of a query in one kind of store only.
  static let cases: [(StoreKind, AccentForm)] = AccentForm.all.indices.flatMap { index in
    let kinds = StoreKind.allCases
    return (TestEffort.isLong ? kinds : [kinds[index % kinds.count]]).map { ($0, AccentForm.all[index]) }
  }

  @Test(arguments: cases)
  func eachFindsItsOwn(_ kind: StoreKind, _ form: AccentForm) async throws {
    let store = try AccentStore.ofAccents(kind)
    for first in Accent.allCases {
      let second = first.other
      func query(_ files: Results<AccentFile>, _ accent: Accent) -> Results<AccentFile> {
        form.describe(files, accent.text)
      }
      #expect(query(store.files, first) != query(store.files, second))
      for accent in [first, second] {
        #expect(try query(store.files, accent).all().map(\.id) == [accent.id])
        #expect(query(store.files, accent).first?.id == accent.id)
        #expect(try query(store.files, accent).fetchCount() == 1)
      }
      try store.read { scope in
        for accent in [first, second] {
          let found = try query(scope.objects(AccentFile.self), accent).all()
          #expect(found.map(\.id) == [accent.id])
        }
      }
      for accent in [first, second] {
        for try await change in query(store.files, accent).changes() {
          if case .initial(let files) = change { #expect(files.map(\.id) == [accent.id]) }
          break
        }
        let ids = try await store.runTransaction { [form] transaction in
          try form.describe(transaction.objects(AccentFile.self), accent.text).all().map(\.id)
        }
        #expect(ids == [accent.id])
      }
    }
    store.closeChecked()
  }

  @Test(arguments: cases)
  func changesAreOfTheRightObject(_ kind: StoreKind, _ form: AccentForm) throws {
    let store = try AccentStore.ofAccents(kind)
    let (first, second) = (Accent.composed, Accent.decomposed)
    #expect(try form.describe(store.files, first.text).all().map(\.id) == [first.id])
    #expect(try form.describe(store.files, second.text).update { $0.set(\.label, "changed") } == 1)
    #expect(try store.file(second.id).label == "changed")
    #expect(bytes([try #require(try store.file(first.id).label)]) == bytes([first.text]))
    if form.testDescription == "optional" { return store.closeChecked() }
    #expect(try form.describe(store.files, first.text).all().map(\.id) == [first.id])
    #expect(try form.describe(store.files, second.text).delete() == 1)
    #expect(store.files.map(\.id) == [first.id])
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func wordsOfAFullTextQuery(_ kind: StoreKind) throws {
    let store = try AccentStore.ofAccents(kind)
    let files = store.files
    #expect(files.where { $0.path.matches("caf\u{E9}") } != files.where { $0.path.matches("cafe\u{301}") })
    // Full-text queries ignore accents however they are written.
    #expect(try files.where { $0.path.matches("caf\u{E9}") }.all().map(\.id) == [0, 1])
    #expect(try files.where { $0.path.matches("cafe\u{301}") }.all().map(\.id) == [0, 1])
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func aCoalescerKeepsThemApart(_ kind: StoreKind) async throws {
    let store = try AccentStore.ofAccents(kind)
    let coalescer = QueryCoalescer(window: .seconds(600))
    for accent in Accent.allCases {
      let files = store.files.where { $0.path == accent.text }
      #expect(try await coalescer.frozen(files).map(\.id) == [accent.id])
      #expect(try await coalescer.value(of: files, "ids") { $0.map(\.id) } == [accent.id])
    }
    for accent in Accent.allCases {
      let name = try await coalescer.value(of: store.files, accent.text) { _ in Array(accent.text.utf8) }
      #expect(name == Array(accent.text.utf8))
    }
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func sectionsGroupsAndDistinctValues(_ kind: StoreKind) throws {
    let store = try AccentStore.ofAccents(kind)
    let keys = bytes(["cafe\u{301}", "caf\u{E9}"])
    let sections = store.files.sectioned(by: \.path)
    #expect(bytes(sections.allKeys) == keys && sections.map(\.count) == [1, 1])
    let frozen = try store.files.fetchFrozen()
    for sections in [
      sections.freeze(), frozen.sectioned(by: \.path), store.files.sectioned(by: { $0.path }).freeze(),
      frozen.sectioned(by: { $0.path }),
    ] {
      #expect(Set(bytes(sections.allKeys)) == Set(keys))
      let ids: [[Int]] = sections.map { $0.map(\.id) }
      #expect(Set(ids) == [[0], [1]] && ids.count == 2)
      #expect(sections[0] != sections[1])
      for section in sections {
        #expect(section.thaw().map { bytes([$0.key]) } == bytes([section.key]))
        #expect(section.thaw()?.objects.map(\.id) == section.map(\.id))
      }
    }
    #expect(bytes(frozen.sectioned(by: \.path, ascending: false).allKeys) == keys.reversed())
    #expect(store.files.sectioned(by: { $0.path }).map(\.count) == [1, 1])
    #expect(try store.files.grouped(by: \.path).counts().count == 2)
    #expect(store.files.distinct(by: \.path).count == 2)
    #expect(store.files.value(of: \.path).distinct().count == 2)
    #expect(
      store.files.where { $0.id == 0 }.value(of: \.path) != store.files.where { $0.id == 1 }.value(of: \.path)
    )
    store.closeChecked()
  }
}
