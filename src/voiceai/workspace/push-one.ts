import { pushAgent, removeAgent } from '../agents/push-agent.ts'
import { pushNumber } from '../agents/push-number.ts'
import { generateSpeech } from '../speech/speech.ts'
import { pushTool, removeTool } from '../tools/push-tool.ts'
import type { Push } from './push-request.ts'
import type { VoiceaiParts } from './voiceai-parts.ts'
import { pushInitiation, pushPostCall } from './workspace.ts'

/** Pushes one thing to the voice-agent platform. */
export async function pushOne(parts: VoiceaiParts, push: Push): Promise<unknown> {
  switch (push.kind) {
    case 'tool':
      return pushTool(parts, push.id)
    case 'agent':
      return pushAgent(parts, push.id, push)
    case 'number':
      return pushNumber(parts, push.id)
    case 'initiation':
      return pushInitiation(parts)
    case 'post-call':
      return pushPostCall(parts)
    case 'speech':
      return generateSpeech(parts, push.fileId)
    case 'remove-tool':
      return removeTool(parts, push.toolId)
    case 'remove-agent':
      return removeAgent(parts, push)
  }
}
