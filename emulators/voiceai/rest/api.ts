import { findRoute, type HttpReply, type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Problems } from '../../problems.ts'
import type { BrowserTalks } from '../browser-talks.ts'
import type { PhoneLines } from '../phone-lines.ts'
import type { Workspace } from '../workspace.ts'
import { agentRoutes } from './agents.ts'
import { ApiError, refuse } from './api-error.ts'
import { conversationRoutes } from './conversations.ts'
import { knowledgeRoutes } from './knowledge.ts'
import { languageModelRoutes } from './language-models.ts'
import { phoneNumberRoutes } from './phone-numbers.ts'
import { registerCallRoutes } from './register-call.ts'
import { checkReply } from './schemas.ts'
import { secretRoutes } from './secrets.ts'
import { settingsRoutes } from './settings.ts'
import { signedUrlRoutes } from './signed-urls.ts'
import { toolRoutes } from './tools.ts'
import { voiceRoutes } from './voices.ts'
import { webhookRoutes } from './webhooks.ts'

/** The platform's REST API: what the service asks is answered as the real one would, refusals included. */
export class VoiceaiApi {
  readonly #workspace: Workspace
  readonly #problems: Problems
  readonly #routes: readonly HttpRoute[]

  constructor(workspace: Workspace, { lines, talks }: { lines: PhoneLines; talks: BrowserTalks }, problems: Problems) {
    this.#workspace = workspace
    this.#problems = problems
    this.#routes = [
      ...settingsRoutes(workspace, problems),
      ...webhookRoutes(workspace, problems),
      ...secretRoutes(workspace, problems),
      ...toolRoutes(workspace, problems),
      ...agentRoutes(workspace, problems),
      ...knowledgeRoutes(workspace, problems),
      ...languageModelRoutes(),
      ...voiceRoutes(workspace, problems),
      ...conversationRoutes(workspace),
      ...signedUrlRoutes(workspace, talks, problems),
      ...phoneNumberRoutes(workspace, problems),
      ...registerCallRoutes(workspace, lines, problems),
    ]
  }

  async answer(request: HttpRequest): Promise<HttpReply> {
    try {
      const reply = await this.#handle(request)
      checkReply(request, reply, this.#problems)
      return reply
    } catch (error) {
      if (error instanceof ApiError) return error.toReply()
      this.#problems.add({ where: 'voiceai', message: `${request.method} ${request.path}: ${String(error)}` })
      return jsonReply(500, { detail: { status: 'internal_error', message: 'Internal error' } })
    }
  }

  async #handle(request: HttpRequest): Promise<HttpReply> {
    const key = request.headers['xi-api-key']
    if (key === undefined)
      throw refuse(401, 'needs_authorization', 'Neither authorization header nor xi-api-key received.')
    if (key !== this.#workspace.apiKey) throw refuse(401, 'invalid_api_key', 'Invalid API key')
    const found = findRoute(this.#routes, request)
    if (found === undefined) {
      this.#problems.add({ where: 'voiceai', message: `${request.method} ${request.path} is not known here` })
      throw new ApiError(404, 'Not Found')
    }
    return found.route.handle({ ...request, params: found.params })
  }
}
