import Fief
import FiefConsole
import Foundation

extension Demo {
  /// Looks for what the stores keep in their files.
  func lookForValues() throws {
    console.heading("14. What a stolen disk reveals")
    console.say(
      "The stores of accounts and payments are encrypted with the key in petstore.key, which the first start created. Names "
        + "and addresses of accounts, streets of orders and, from an unencrypted store, names of people are searched for in all files of their stores:"
    )
    // Former versions had an index of the addresses, whose keys are in pages that are not in use any more.
    try store.auth.compact()
    let users = try store.auth.read { $0.objects(User.self).map { (name: $0.name, email: $0.email) } }
    let streets = try store.payments.read { snapshot in
      snapshot.objects(Order.self).sorted(byKeyPath: "number").compactMap { $0.delivery?.street }
    }
    let people = try store.pets.read { $0.objects(Person.self).sorted(byKeyPath: "name").map(\.name) }
    var table = Table("store", "kept", "values", ">searched", ">found")
    for (domain, texts, isEncrypted) in [
      ("auth", users.map(\.name), true), ("auth", users.map(\.email), true), ("payments", streets, true),
      ("pets", people, false),
    ] {
      // A short name may be in any bytes by chance.
      let wanted = Array(Set(texts.filter { $0.utf8.count >= 8 }).sorted().prefix(100))
      let found = try Self.count(of: wanted, inFilesOf: "\(directory)/\(domain)")
      if isEncrypted, found > 0 { throw DemoFailure.encryptedStoreShowsValues }
      // What is looked for in a store in clear is found, so that finding nothing means something.
      if wanted.isEmpty || !isEncrypted && found == 0 { throw DemoFailure.nothingIsFoundInClear }
      table.add(
        domain,
        isEncrypted ? "encrypted" : "unencrypted",
        wanted.first.map { "\"\($0)\"…" } ?? "",
        Format.count(wanted.count),
        Format.count(found)
      )
    }
    console.table(table)
  }

  /// How many of the texts are in the files of a directory, pages included that are not in use any more.
  private static func count(of texts: [String], inFilesOf directory: String) throws -> Int {
    let files = try FileManager.default.contentsOfDirectory(atPath: directory)
      .map { try Data(contentsOf: URL(filePath: directory).appending(path: $0)) }
    return texts.count { text in files.contains { $0.range(of: Data(text.utf8)) != nil } }
  }
}
