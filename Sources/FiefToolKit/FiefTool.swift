import Fief
import FiefConsole
