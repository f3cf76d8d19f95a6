import type { Model } from '../platform/model/model.ts'
import { agentModel } from './agents/agent.ts'
import { draftModel } from './agents/draft.ts'
import { promptModel } from './agents/prompt.ts'
import { templateModel } from './agents/template.ts'
import { transferModel } from './agents/transfer.ts'
import { knowledgeModel } from './knowledge/knowledge.ts'
import { questionModel } from './knowledge/question.ts'
import { fileModel } from './speech/file.ts'
import { toolModel, toolParameterModel } from './tools/tool.ts'
import { trialModel } from './trials/trial.ts'
import { voiceModel } from './voices/voice.ts'

/** What the voice-agent area stores. */
export const voiceaiModels: Model[] = [
  agentModel,
  promptModel,
  draftModel,
  transferModel,
  knowledgeModel,
  questionModel,
  templateModel,
  toolModel,
  toolParameterModel,
  trialModel,
  voiceModel,
  fileModel,
]
