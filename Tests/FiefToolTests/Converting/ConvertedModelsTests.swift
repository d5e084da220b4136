import FiefRealm
import Foundation
import Testing

/// Classes that were converted, in the files of `Models`, which are compiled here.
@Suite("Converted models") struct ConvertedModelsTests {
  @Test(
    "The sources become those that are compiled here",
    arguments: ["Kennel.swift", "Ledger.swift", "Journal.swift"]
  )
  func sources(name: String) throws {
    try ConverterFiles.with { files in
      try files.add(name, Data(contentsOf: ConverterFiles.before.appending(path: name)))
      let run = ToolRun("convert-realm-models", files[name], "--write")
      #expect(run.status == .done)
      #expect(
        try files.text(name)
          == String(contentsOf: ConverterFiles.after.appending(path: name), encoding: .utf8)
      )
      let again = ToolRun("convert-realm-models", files[name])
      #expect(again.output == "")
      #expect(
        again.errors.hasSuffix("Nothing to convert.\n") || again.errors.contains("Nothing to convert; ")
      )
    }
  }

  private struct Repository: DatabaseConfigurable {
    let realmMemoryType = RealmMemoryType.inMemory(identifier: nil)
    let schemaName: String? = nil
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [
      KennelDog.self, KennelPerson.self, KennelClub.self, KennelToy.self, Ledger.Entry.self,
      Ledger.Invoice.self,
      Ledger.Account.self, JournalPage.self, JournalPlace.self,
    ]
    let embeddedObjectTypes: [EmbeddedObject.Type]? = [KennelAddress.self, Ledger.Item.self]
  }

  @Test("Keys and indexes are declared with their properties, and what was not stored is not")
  func schema() throws {
    let dog = KennelDog().objectSchema
    #expect(dog.primaryKeyProperty?.name == "id")
    #expect(dog.properties.filter(\.isIndexed).map(\.name).sorted() == ["born", "default", "id", "name"])
    let names = Set(dog.properties.map(\.name))
    #expect(names.isDisjoint(with: ["transient", "cached", "title", "isPuppy", "constant"]))
    #expect(
      names.isSuperset(of: [
        "toys", "legs", "tail", "chipped", "anything", "prices", "visited", "home", "secret",
      ])
    )
    #expect(KennelClub().objectSchema.primaryKeyProperty?.name == "name")
    #expect(Ledger.Account().objectSchema.primaryKeyProperty?.name == "iban")
    #expect(
      Ledger.Entry().objectSchema.properties.filter(\.isIndexed).map(\.name).sorted() == [
        "id", "name", "uuid",
      ]
    )
  }

  @Test("Objects of converted classes are stored, and keep the defaults of their properties")
  func objects() throws {
    let repository = Repository()
    try repository.write { transaction in
      let dog = KennelDog()
      dog.id = "rex"
      dog.toys.append(KennelToy())
      dog.numbers.append(objectsIn: [1, 2])
      dog.prices["bone"] = 2.5
      dog.legs = 4
      dog.anything = .string("any")
      let home = KennelAddress()
      home.street = "Lane"
      dog.home = home
      let club = KennelClub()
      club.name = "Agility"
      club.members.append(dog)
      try transaction.add(club)
      let walker = KennelPerson()
      walker.dogs.append(dog)
      try transaction.add(walker)
      let invoice = Ledger.Invoice(name: "bones")
      invoice.items.append(Ledger.Item())
      try transaction.add(invoice)
      let page = JournalPage()
      page.id = 1
      page.mood = .bad
      page.links.append(page)
      page.places["here"] = JournalPlace()
      try transaction.add(page)
    }
    let dog = try #require(try repository.fetchObject(ofType: KennelDog.self, forPrimaryKey: "rex"))
    #expect(dog.clubs.map(\.name) == ["Agility"])
    #expect(dog.walkers.count == 1)
    #expect(dog.tail == 12.5)
    #expect(dog.teeth == nil)
    #expect(dog.large == 9_007_199_254_740_993)
    #expect(dog.seconds == 86_400)
    #expect(dog.long == "Several lines, with @objc dynamic var fake = 0\nand \"quotes\" }")
    #expect(dog.toys.first?.kind == "ball")
    #expect(dog.home?.street == "Lane")
    #expect(dog.title == " the dog")
    #expect(dog.isPuppy)
    #expect(try repository.objects(Ledger.Invoice.self).first?.items.first?.count == 1)
    let page = try #require(try repository.fetchObject(ofType: JournalPage.self, forPrimaryKey: 1))
    #expect(page.mood == .bad)
    #expect(page.pages == 3)
    #expect(page.backlinks.map(\.id) == [1])
    #expect(page.places["here"]??.count == 7)
    #expect(try repository.check().problems == [])
    repository.close()
  }
}
