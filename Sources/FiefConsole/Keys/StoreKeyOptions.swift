package import Fief
import FiefEncryption
import Foundation

/// The key of an encrypted store, from a file, from the environment, or asked for at the terminal; never from an argument, which
/// other users of the machine can see.
package enum StoreKeyOptions {
  /// The options of the command line.
  package static let declarations = [
    OptionDeclaration(
      "key-file",
      value: "FILE",
      completion: .files,
      "The key of an encrypted store: a file of yours with 32 or 64 bytes and the mode 0600."
    ),
    OptionDeclaration(
      "key-env",
      value: "NAME",
      "The environment variable with the store's passphrase, or with its key as 'hex:' and 64 or 128 digits."
    ),
  ]

  /// The key that a command line names; nil where it names none.
  ///
  /// - Throws: ``UsageError`` where it names two, or a variable that is not set or has no key.
  package static func named(by invocation: Invocation, in environment: [String: String]) throws(UsageError)
    -> StoreEncryption?
  {
    switch (invocation["key-file"], invocation["key-env"]) {
    case (nil, nil): return nil
    case (let file?, nil): return .keyFile(file)
    case (nil, let name?):
      guard let text = environment[name], !text.isEmpty else {
        throw UsageError(
          "The environment variable '\(Format.printable(name))' of --key-env is not set.",
          command: invocation.command.name
        )
      }
      return try key(text, command: invocation.command.name)
    default:
      throw UsageError("'--key-file' and '--key-env' do not go together.", command: invocation.command.name)
    }
  }

  /// The passphrase that a user types, without an echo; nil where there is no terminal, and where nothing is typed.
  ///
  /// - Parameter name: what is encrypted: `the store pets`.
  package static func asked(for name: String, on io: CommandIO) -> StoreEncryption? {
    guard io.isInteractive else { return nil }
    let text = io.readSecret("\(Format.printable(name)) is encrypted. Passphrase: ")
    return text.flatMap { $0.isEmpty ? nil : .passphrase($0) }
  }

  private static func key(_ text: String, command: String) throws(UsageError) -> StoreEncryption {
    guard text.hasPrefix("hex:") else { return .passphrase(text) }
    let digits = text.dropFirst(4).compactMap(\.hexDigitValue)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    guard digits.count % 2 == 0, digits.count == text.count - 4 else {
      throw UsageError(
        "The variable of --key-env has something else than digits after 'hex:'.",
        command: command
      )
    }
    return .key(Data(bytes))
  }
}
