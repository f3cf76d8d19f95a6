CREATE TABLE "connect_telco_callflow_ring_mobiles_rel" (
	"callflow_id" bigint NOT NULL,
	"exten_id" bigint NOT NULL,
	CONSTRAINT "connect_telco_callflow_ring_mobiles_rel_pkey" PRIMARY KEY("callflow_id","exten_id")
);

--> statement-breakpoint
ALTER TABLE "connect_telco_exten" ADD COLUMN "mobile_number" text;
--> statement-breakpoint
ALTER TABLE "connect_telco_exten" ADD COLUMN "mobile_name" text;
--> statement-breakpoint
ALTER TABLE "connect_telco_callflow_ring_mobiles_rel" ADD CONSTRAINT "connect_telco_callflow_ring_mobiles_rel_callflow_id_fkey" FOREIGN KEY ("callflow_id") REFERENCES "public"."connect_telco_callflow"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "connect_telco_callflow_ring_mobiles_rel" ADD CONSTRAINT "connect_telco_callflow_ring_mobiles_rel_exten_id_fkey" FOREIGN KEY ("exten_id") REFERENCES "public"."connect_telco_exten"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "connect_telco_callflow_ring_mo__rel_exten_id_callflow_id_index" ON "connect_telco_callflow_ring_mobiles_rel" USING btree ("exten_id","callflow_id");
--> statement-breakpoint
CREATE INDEX "connect_telco_exten_mobile_number_index" ON "connect_telco_exten" USING btree ("mobile_number");
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER connect_dial_plan_changed AFTER INSERT OR UPDATE OR DELETE ON connect_telco_callflow_ring_mobiles_rel
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION connect_dial_plan_changed();
