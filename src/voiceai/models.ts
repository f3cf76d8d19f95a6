import type { Model } from '../platform/model.ts'
import { agentModel } from './models/agent.ts'
import { fileModel } from './models/file.ts'
import { promptModel } from './models/prompt.ts'
import { templateModel } from './models/template.ts'
import { toolModel, toolParameterModel } from './models/tool.ts'
import { transferModel } from './models/transfer.ts'
import { voiceModel } from './models/voice.ts'

/** What the voice-agent area stores. */
export const voiceaiModels: Model[] = [
  agentModel,
  promptModel,
  transferModel,
  templateModel,
  toolModel,
  toolParameterModel,
  voiceModel,
  fileModel,
]
