package halltest
import "testing"
func TestStart(t *testing.T) {
	c := startCluster(t, 3)
	l := c.leader("$MQTT_msgs")
	t.Log(l)
	c.nodes[l].kill()
	c.recovers()
	t.Log(c.leader("$MQTT_msgs"))
}
