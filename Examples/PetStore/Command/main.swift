import Foundation
import PetStoreKit

exit(await PetStoreCommand.run(Array(CommandLine.arguments.dropFirst())))
