import Fief
import FiefEncryption
import FiefTesting
import Foundation
import Testing

/// The code of the article about encryption.
@Suite(.freshStores) struct EncryptingArticleTests {
  final class Payment: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var amount = 0
  }

  // Documentation: begin repository
  struct PaymentRepository: DatabaseConfigurable {
    var keyFile: String
    let schemaName: String? = "payments"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Payment.self]

    var storeOptions: StoreOptions {
      var options = StoreOptions()
      options.encryption = .keyFile(keyFile)
      return options
    }
  }
  // Documentation: end repository

  // Documentation: begin secret class
  final class Customer: Object {
    @Persisted(primaryKey: true, secret: true) var taxNumber = ""
    @Persisted(index: .unique, secret: true) var email = ""
    @Persisted(indexed: true, secret: true) var city = ""
    @Persisted var orders = 0
  }
  // Documentation: end secret class

  struct CustomerRepository: DatabaseConfigurable {
    let schemaName: String? = "customers"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Customer.self]

    var storeOptions: StoreOptions {
      var options = StoreOptions()
      options.encryption = .key(Data(repeating: 1, count: 32))
      return options
    }
  }

  struct Clear: DatabaseConfigurable {
    let schemaName: String? = "clear"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Payment.self]
  }

  @Test func keysAreMadeAndChanged() throws {
    let keyFile = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: keyFile) }
    // Documentation: begin key file
    if !FileManager.default.fileExists(atPath: keyFile) { try StoreEncryption.makeKeyFile(at: keyFile) }
    // Documentation: end key file
    let encrypted = PaymentRepository(keyFile: keyFile)
    try encrypted.saveAndWait(entity: Payment(value: ["id": 1, "amount": 3]), update: false)
    #expect(try encrypted.store().isEncrypted)
    let payments = Clear()
    try payments.saveAndWait(entity: Payment(value: ["id": 1, "amount": 3]), update: false)
    // Documentation: begin changes
    try payments.encrypt(with: .keyFile(keyFile))  // A store in clear becomes an encrypted one.
    try payments.changeEncryptionKey(to: .passphrase("correct horse"))  // Another key, in constant time.
    try payments.reencrypt(with: .keyFile(keyFile))  // All values once more, with a new data key.
    try payments.decrypt()  // Back to a store in clear.
    // Documentation: end changes
    #expect(try !payments.store().isEncrypted)
    let archive = keyFile + ".archive"
    defer { try? FileManager.default.removeItem(atPath: archive) }
    // Documentation: begin archive
    try payments.backup(to: archive, encryptedWith: .passphrase("for the archive"))
    // Documentation: end archive
    let copy = try DynamicStore(directory: archive, encryption: .passphrase("for the archive"))
    #expect(try copy.count(of: "Payment") == 1)
    copy.close()
    #expect(payments.object(ofType: Payment.self, forPrimaryKey: 1)?.amount == 3)
  }

  typealias LedgerRepository = Clear

  // Documentation: begin testing
  @Test(arguments: StoreKind.allCases) func pays(_ kind: StoreKind) throws {
    let payments = try StoreFixture(LedgerRepository(), kind)
    try payments.saveAndWait(entity: Payment(value: ["id": 1, "amount": 3]), update: false)
    #expect(payments.object(ofType: Payment.self, forPrimaryKey: 1)?.amount == 3)
  }
  // Documentation: end testing

  @Test func secretKeysAreFound() throws {
    let repository = CustomerRepository()
    let values: [String: Any] = ["taxNumber": "DE 123", "email": "a@example.org", "city": "Bonn"]
    try repository.saveAndWait(entity: Customer(value: values), update: false)
    let customers = repository.store()
    // Documentation: begin secret queries
    let inBonn = customers.objects(Customer.self).where { $0.city == "Bonn" }
    let some = customers.objects(Customer.self).where { $0.email.in(["a@example.org", "b@example.org"]) }
    let one = customers.object(ofType: Customer.self, forPrimaryKey: "DE 123")
    // Documentation: end secret queries
    #expect(inBonn.count == 1 && some.count == 1 && one?.email == "a@example.org")
    #expect(throws: FiefError.self) { try customers.objects(Customer.self).sorted(byKeyPath: "city").all() }
  }

  @Test func theArticleShowsThisCode() throws {
    try ArticleCode.expectSame("Encrypting", as: #filePath)
  }
}
