import Fief
import FiefConsole
import FiefEncryption
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The key of an encrypted store, from a file, from the environment, or asked for at the terminal; never from an argument, which
/// other users of the machine can see.
enum ToolKey {
  static let options = [
    OptionDeclaration(
      "key-file",
      value: "FILE",
      completion: .files,
      "The key of an encrypted store: a file of yours with 32 bytes and the mode 0600."
    ),
    OptionDeclaration(
      "key-env",
      value: "NAME",
      "The environment variable with the store's passphrase, or with its key as 'hex:' and 64 digits."
    ),
  ]

  /// The key that a command line names; nil where it names none.
  ///
  /// - Throws: ``UsageError`` where it names two, or a variable that is not set or has no key.
  static func named(by invocation: Invocation, in environment: [String: String]) throws -> StoreEncryption? {
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

  /// The passphrase that is typed at the terminal of the process, without an echo; nil where it has none.
  static func asked(for store: String) -> StoreEncryption? {
    // SAFETY: the C library's own text, which is copied and then wiped.
    guard isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0,
      let typed = getpass("The store \(store) is encrypted. Passphrase: ")
    else { return nil }
    defer { memset(typed, 0, strlen(typed)) }
    let text = String(cString: typed)
    return text.isEmpty ? nil : .passphrase(text)
  }

  private static func key(_ text: String, command: String) throws -> StoreEncryption {
    guard text.hasPrefix("hex:") else { return .passphrase(text) }
    let digits = Array(text.dropFirst(4).utf8)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
      UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16)
    }
    guard digits.count % 2 == 0, bytes.count == digits.count / 2 else {
      throw UsageError(
        "The variable of --key-env has something else than digits after 'hex:'.",
        command: command
      )
    }
    return .key(Data(bytes))
  }
}
