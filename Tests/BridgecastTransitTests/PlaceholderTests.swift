// Belongs here: tests of BridgecastTransit and BridgecastTransitAnswers.
import Testing
