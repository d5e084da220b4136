import FiefCommands
import Testing
